"""The classifiers of scikit-learn as the head of a model: fields of its config, and tensors."""

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import (
    LogisticRegression,
    LogisticRegressionCV,
    PassiveAggressiveClassifier,
    Perceptron,
    RidgeClassifier,
    RidgeClassifierCV,
    SGDClassifier,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from importing.problem import Problem

PLAIN = (LinearSVC, RidgeClassifier, RidgeClassifierCV, Perceptron, PassiveAggressiveClassifier)
LOGISTIC = (LogisticRegression, LogisticRegressionCV)
BAYES = (MultinomialNB, ComplementNB)
ON_VECTORS = (MultiOutputClassifier, MLPClassifier)
KNOWN = "LogisticRegression, LinearSVC, SGDClassifier, RidgeClassifier, MultinomialNB, ComplementNB, "
KNOWN += "OneVsRestClassifier and CalibratedClassifierCV are"
HIDDEN = {"identity": "linear", "logistic": "sigmoid", "tanh": "tanh", "relu": "relu"}  # activations


class Head:
    """weights [m, V] and bias [m] of the columns m, with what makes probabilities of decision values."""

    def __init__(self, weights, bias, classes, output):
        self.weights = np.atleast_2d(np.asarray(weights, dtype=np.float64))
        self.bias = np.broadcast_to(np.asarray(bias, dtype=np.float64).ravel(), len(self.weights))
        self.classes = classes
        self.fields = {"output": output}
        self.tensors = {}
        self.each_label = False
        self.hidden = None  # a layer of MLPClassifier before the columns


class HiddenLayer:
    def __init__(self, step):
        self.weights = step.coefs_[0].T.astype(np.float64)  # [h, V]
        self.bias = step.intercepts_[0].astype(np.float64)
        self.activation = HIDDEN[step.activation]


def head_of(step):
    if type(step) in LOGISTIC or type(step) in PLAIN or type(step) is SGDClassifier:
        return linear_head(step)
    if type(step) in BAYES:
        prior = step.class_log_prior_ if type(step) is MultinomialNB or len(step.classes_) == 1 else 0.0
        return Head(step.feature_log_prob_, prior, step.classes_, "softmax")
    if type(step) is OneVsRestClassifier:
        return one_vs_rest(step)
    if type(step) is CalibratedClassifierCV:
        return calibrated(step)
    if type(step) is Pipeline:
        return scaled(step)
    if type(step) is MultiOutputClassifier:
        return several_outputs(step)
    if type(step) is MLPClassifier:
        return with_hidden_layer(step)
    raise Problem(f"{type(step).__name__}: is not read as the last step; {KNOWN}")


def linear_head(step):
    if not hasattr(step, "coef_"):
        raise Problem(f"{type(step).__name__}: is not fitted")
    output = "none"
    if type(step) in LOGISTIC:
        output = "sigmoid" if len(step.classes_) <= 2 else "softmax"
    if type(step) is SGDClassifier:
        output = {"log_loss": "sigmoid", "modified_huber": "clipped"}.get(step.loss, "none")
    coef = np.atleast_2d(step.coef_)
    if len(coef) not in (1, len(step.classes_)) or np.ndim(step.classes_[0]) > 0:
        raise Problem(f"{type(step).__name__}: several labels at once are read of OneVsRestClassifier alone")
    return Head(coef, step.intercept_, step.classes_, output)


def binary(step):
    """The decision value of the second of two labels."""
    head = head_of(step)
    if type(step) in BAYES:
        difference = head.weights[1] - head.weights[0], head.bias[1] - head.bias[0]
        return Head(*difference, head.classes, "sigmoid")
    if len(head.weights) != 1 or head.tensors:
        raise Problem(f"OneVsRestClassifier: {type(step).__name__} in it is not read")
    return head


def one_vs_rest(step):
    heads = [binary(each) for each in step.estimators_]
    if len({head.fields["output"] for head in heads}) > 1:
        raise Problem("OneVsRestClassifier: different classifiers in it are not read")
    weights = np.concatenate([head.weights for head in heads])
    bias = np.concatenate([head.bias for head in heads])
    head = Head(weights, bias, step.classes_, heads[0].fields["output"])
    head.each_label = bool(step.multilabel_)
    if head.each_label and head.fields["output"] == "none":
        raise Problem("OneVsRestClassifier: several labels at once need a classifier with probabilities")
    return head


def scaled(step):
    """A StandardScaler before a classifier, in the weights of the classifier."""
    *scalers, last = [each for _, each in step.steps if each not in (None, "passthrough")]
    head = head_of(last)
    first = head.hidden or head
    for scaler in reversed(scalers):
        if type(scaler) is not StandardScaler:
            raise Problem(f"{type(scaler).__name__}: is not read before a classifier; StandardScaler is")
        if scaler.scale_ is not None:
            first.weights = first.weights / scaler.scale_
        if scaler.with_mean:
            first.bias = first.bias - first.weights @ scaler.mean_
    return head


def several_outputs(step):
    heads = [binary(each) for each in step.estimators_]
    for head in heads:
        if head.fields["output"] != "sigmoid":
            raise Problem("MultiOutputClassifier: several labels at once need a classifier with probabilities")
        if np.asarray(head.classes).tolist() != [0, 1]:
            raise Problem(
                f"MultiOutputClassifier: found the classes {list(head.classes)[:5]}, expected 0 and 1 for each"
            )
    merged = Head(np.concatenate([head.weights for head in heads]), 0.0, range(len(heads)), "sigmoid")
    merged.bias = np.concatenate([head.bias for head in heads])
    merged.each_label = True
    return merged


def with_hidden_layer(step):
    if len(step.coefs_) != 2:
        raise Problem(f"MLPClassifier: has {len(step.coefs_) - 1} hidden layers, expected one")
    output = "softmax" if step.out_activation_ == "softmax" else "sigmoid"
    head = Head(step.coefs_[1].T, step.intercepts_[1], step.classes_, output)
    head.hidden = HiddenLayer(step)
    head.each_label = step._label_binarizer.y_type_.startswith("multilabel")
    return head


def unfrozen(step):
    return step.estimator if type(step).__name__ == "FrozenEstimator" else step


def calibrated(step):
    folds = step.calibrated_classifiers_
    heads = []
    for fold in folds:
        estimator = unfrozen(fold.estimator)
        if not hasattr(estimator, "decision_function"):
            raise Problem(f"CalibratedClassifierCV({type(estimator).__name__}): is read of decision values alone")
        head = head_of(estimator)
        if len(head.classes) != len(step.classes_):
            raise Problem("CalibratedClassifierCV: a part lacks one of the labels")
        heads.append(head)
    merged = Head(
        np.concatenate([head.weights for head in heads]),
        np.concatenate([head.bias for head in heads]),
        step.classes_,
        "softmax" if folds[0].method == "temperature" else "sigmoid",
    )
    merged.fields["folds"] = len(folds)
    if folds[0].method == "isotonic":
        add_curves(folds, merged)
    else:
        add_slopes(folds, merged)
    return merged


def add_slopes(folds, head):
    slopes, offsets = [], []
    for fold in folds:
        if fold.method == "temperature":
            slopes += [fold.calibrators[0].beta_] * len(fold.classes)
            offsets += [0.0] * len(fold.classes)
        elif len(fold.classes) == 2:
            slopes += [-fold.calibrators[0].a_] * 2
            offsets += [fold.calibrators[0].b_, -fold.calibrators[0].b_]
        else:
            slopes += [-each.a_ for each in fold.calibrators]
            offsets += [-each.b_ for each in fold.calibrators]
    head.fields["calibration"] = "linear"
    head.tensors["calibration.slopes"] = np.array(slopes, dtype=np.float64)
    head.tensors["calibration.offsets"] = np.array(offsets, dtype=np.float64)


def add_curves(folds, head):
    curves = []
    for fold in folds:
        found = [(each.X_thresholds_, each.y_thresholds_) for each in fold.calibrators]
        if len(fold.classes) == 2:  # the other label has −x and 1 − y
            found.insert(0, (-found[0][0][::-1], 1.0 - found[0][1][::-1]))
        curves += found
    head.fields["calibration"] = "isotonic"
    head.tensors["calibration.ends"] = np.cumsum([len(x) for x, _ in curves]).astype(np.uint32)
    head.tensors["calibration.x"] = np.concatenate([x for x, _ in curves]).astype(np.float64)
    head.tensors["calibration.y"] = np.concatenate([y for _, y in curves]).astype(np.float64)


def label_rows(head):
    """What makes probabilities of decision values, the number k of folds, and weights [k, c, V] and bias [k, c] of
    labels, with the slopes of a calibration in them. Two labels with a probability have half of their value."""
    output, folds, labels = head.fields["output"], head.fields.get("folds", 1), len(head.classes)
    if output == "clipped":
        raise Problem("SGDClassifier: loss='modified_huber' has no counterpart; 'log_loss' has")
    if head.fields.get("calibration") == "isotonic":
        raise Problem("CalibratedClassifierCV: method='isotonic' has no counterpart; 'sigmoid' has")
    weights, bias = head.weights.reshape(folds, -1, head.weights.shape[1]), head.bias.reshape(folds, -1)
    if labels == 2 and not head.each_label and weights.shape[1] == 1:
        weights, bias = np.concatenate([-weights, weights], axis=1), np.concatenate([-bias, bias], axis=1)
    if head.tensors:
        slopes, offsets = (head.tensors[f"calibration.{name}"].reshape(folds, -1) for name in ("slopes", "offsets"))
        weights, bias = weights * slopes[:, :, np.newaxis], bias * slopes + offsets
    if output == "sigmoid" and labels == 2 and not head.each_label:
        return "softmax", folds, weights / 2, bias / 2
    return "sigmoid_share" if output == "sigmoid" else output, folds, weights, bias
