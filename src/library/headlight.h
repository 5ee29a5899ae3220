/* The C interface of headlight: transformer text classifiers, and what every head attends to.
 *
 *   hl_engine *engine;
 *   hl_model *model;
 *   hl_engine_new(NULL, &engine);
 *   hl_model_load(engine, "sentiment", &model);
 *   hl_text text = {"not bad at all", HL_C_STRING, NULL, 0};
 *   float logits[2];
 *   hl_classify(model, &text, 1, NULL, logits, NULL, NULL);
 *
 * Link with -lheadlight (pkg-config headlight; CMake's find_package(headlight)). headlight.hpp is
 * the same for C++.
 *
 * - A function that can fail returns a hl_status; hl_last_error() then says why in one line.
 * Nothing is printed, thrown or ended. errno, the floating-point environment, signals and the
 * current directory stay as they are. Results do not depend on the rounding mode of the caller.
 * - An engine has threads of its own: with n threads, a call computes in the calling thread and in
 * at most n - 1 others. Several engines can live side by side.
 * - A loaded model does not change. Any number of threads may call any function with it at once.
 *   The files of its weights are mapped: replace them by renaming, never in place, while it is in
 * use.
 * - Handles are freed in any order, each once; NULL is allowed. A free must not race with a use.
 * What a function returns by pointer lives as long as the handle that it was asked of.
 * - After fork() in a process that has used an engine, the child's inherited handles answer
 *   HL_BAD_ARGUMENT. A new engine there works, in the calling thread alone.
 * - Texts are UTF-8 with a length in bytes; HL_C_STRING is that of a string that ends in NUL.
 *
 * calls.cpp, engine.cpp, model.cpp, options.cpp, classify.cpp, encoding.cpp, attention.cpp,
 * attention_measures.cpp, explanation.cpp, fit.cpp, evaluate.cpp, entities.cpp and pages.cpp define
 * what this header declares.
 */
#ifndef HEADLIGHT_H
#define HEADLIGHT_H

/* NOLINTBEGIN(modernize-*): what follows is C */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef int32_t hl_status;
enum {
  HL_OK = 0,
  HL_BAD_ARGUMENT = 1,
  HL_BAD_MODEL = 2,
  HL_BAD_TEXT = 3,
  HL_NO_MEMORY = 4,
  HL_STOPPED = 5,
  HL_INTERNAL = 6
};
#define HL_C_STRING SIZE_MAX

/* (major << 16) | minor; major is 0 while the interface moves. */
uint32_t hl_abi_version(void);
/* As `headlight --version` says it. */
const char* hl_version(void);
/* Why the last failing call of this thread failed; "" before the first. */
const char* hl_last_error(void);

typedef struct hl_engine hl_engine;
typedef struct {
  size_t struct_size;    /* of this struct: options are filled by their defaults function */
  int32_t threads;       /* 0: as many as the process may use */
  const char* precision; /* of the linear layers: "fp32", "bf16" or "int8" */
} hl_engine_options;
void hl_engine_options_defaults(hl_engine_options* options);
/* Reads the environment (HEADLIGHT_MODELS and limits of threads); no other function does. options
 * NULL: the defaults. */
hl_status hl_engine_new(const hl_engine_options* options, hl_engine** engine);
/* Calls that are running return HL_STOPPED within a second. May be called from any thread and from
 * a signal handler; calls that begin later are not affected. */
void hl_stop(hl_engine* engine);
void hl_engine_free(hl_engine* engine);

typedef struct hl_model hl_model;
/* A path, or the name of a model in HEADLIGHT_MODELS, beside the library or under its install
 * prefix. The model keeps its engine alive. */
hl_status hl_model_load(hl_engine* engine, const char* path_or_name, hl_model** model);
void hl_model_free(hl_model* model);
size_t hl_model_labels(const hl_model* model); /* c; 0: no classification head */
/* NULL for a number that is no label. */
const char* hl_model_label(const hl_model* model, size_t label);
/* As in config.json: "single_label_classification", "multi_label_classification", "regression". */
const char* hl_model_problem_type(const hl_model* model);
size_t hl_model_layers(const hl_model* model);
size_t hl_model_heads(const hl_model* model, size_t layer);
size_t hl_model_label_heads(const hl_model* model); /* 0: no label attention */
/* e, the size of the vectors of hl_embed(). 0: the folder's modules cannot be used; hl_embed() says
 * why. */
size_t hl_model_embedding_width(const hl_model* model);
size_t hl_model_max_tokens(const hl_model* model); /* of a text; 0: no limit */
/* 1: a pair can mean something to it: `fit` trained it on pairs, or it has an entailment label, or
 * it is a published classifier whose tokenizer marks where the second text begins. 0: it reads
 * single texts, and of a pair the words. */
int32_t hl_model_reads_pairs(const hl_model* model);
/* thresholds [c] or NULL: the least probability at which a model of several labels gives each, as
 * stored with it, else 0.5. Returns c; 0: not a model of several labels. */
size_t hl_model_thresholds(const hl_model* model, float* thresholds);

typedef struct {
  const char* text;
  size_t size;
  const char* pair; /* NULL: one text */
  size_t pair_size;
} hl_text;
typedef struct {
  hl_status status;   /* HL_OK or HL_BAD_TEXT */
  uint32_t tokens;    /* read, special ones counted */
  uint32_t truncated; /* cut */
} hl_row;
typedef struct {
  uint32_t label; /* UINT32_MAX: none, as where logits are NaN */
  float score;    /* its probability, or the value of a regression; NaN: none */
} hl_best;
typedef struct {
  size_t struct_size;
  size_t max_tokens;      /* 0: those of the model */
  const char* long_texts; /* "truncate", "error", "window"; NULL: as the model says */
  int32_t plain_text;     /* 1: special tokens that are typed in a text are text */
  /* hl_explain: "occlusion", "shapley", "gradient", "integrated-gradients", "lrp", "exact" (of a
   * model without layers). NULL: as `headlight explain`, exact if the model has n-grams, else
   * occlusion */
  const char* method;
  uint64_t seed;             /* of sampled Shapley values */
  const uint32_t* heads_off; /* heads whose output is zero: layer * 65536 + head */
  size_t heads_off_count;
  /* hl_classify, hl_evaluate: decide between these labels alone, two or more: the softmax is over
   * them. logits and probabilities then are [n, among_count], in the order of the model's labels.
   * NULL: all */
  const char* const* among;
  size_t among_count;
  uint32_t* unknown; /* [n] or NULL: where rows are filled, how many tokens are the unknown one */
  hl_best* best;     /* [n] or NULL: what hl_classify() says first. With it, logits may be NULL: a
                      * model of fastText then reads only the labels that can be the best */
} hl_run_options;
void hl_run_options_defaults(hl_run_options* options);

/* logits [n, c] in rows, in the order of the texts: the numbers of `headlight batch --logits`. The
 * row of a text that cannot be scored, or of which a model of fastText has no row, is NaN, and the
 * call is still HL_OK. probabilities [n, c] or NULL: calibrated, by softmax or sigmoid as the model
 * says; HL_BAD_ARGUMENT with a regression. rows [n] or NULL. HL_BAD_ARGUMENT if the model has no
 * classification head or labels tokens. */
hl_status hl_classify(const hl_model* model, const hl_text* texts, size_t n,
                      const hl_run_options* options, float* logits, float* probabilities,
                      hl_row* rows);
/* vectors [n, e], as `headlight embed` gives them. Rows are as with hl_classify(). */
hl_status hl_embed(const hl_model* model, const hl_text* texts, size_t n,
                   const hl_run_options* options, float* vectors, hl_row* rows);
/* Why a text cannot be scored, into buffer [size], cut to fit, with a NUL. Returns the whole length
 * without the NUL; 0: it can be scored. */
size_t hl_text_error(const hl_model* model, const hl_text* text, const hl_run_options* options,
                     char* buffer, size_t size);

typedef struct hl_encoding hl_encoding; /* the tokens of a text */
/* Of the whole text, uncut. */
hl_status hl_tokenize(const hl_model* model, const hl_text* text, const hl_run_options* options,
                      hl_encoding** encoding);
size_t hl_encoding_size(const hl_encoding* encoding);
const int32_t* hl_encoding_ids(const hl_encoding* encoding);
const char* hl_encoding_token(const hl_encoding* encoding, size_t token);
/* The bytes of the token. Returns 1: of the text, 2: of the pair, 0: a special token, at 0, 0. */
int32_t hl_encoding_offsets(const hl_encoding* encoding, size_t token, size_t* begin, size_t* end);
/* [t] the number of the word that each token is part of, from 0, ascending. A special token is a
 * word of its own. NULL after hl_tokenize(). */
const uint32_t* hl_encoding_words(const hl_encoding* encoding);
size_t hl_encoding_truncated(const hl_encoding* encoding); /* tokens cut; 0 after hl_tokenize() */
size_t hl_encoding_unknown(const hl_encoding* encoding);   /* of its tokens, the unknown token */
void hl_encoding_free(hl_encoding* encoding);

typedef struct hl_attention hl_attention; /* every head of every layer, for one text of t tokens */
hl_status hl_attend(const hl_model* model, const hl_text* text, const hl_run_options* options,
                    hl_attention** attention);
/* What the model read; it belongs to the attention. */
const hl_encoding* hl_attention_encoding(const hl_attention* attention);
/* [t, t]: rows are queries and sum to 1. NULL: there is no such head. */
const float* hl_attention_weights(const hl_attention* attention, size_t layer, size_t head);
/* [t, head size], as they are multiplied: after norms and rotary positions. */
const float* hl_attention_queries(const hl_attention* attention, size_t layer, size_t head);
const float* hl_attention_keys(const hl_attention* attention, size_t layer, size_t head);
const float* hl_attention_values(const hl_attention* attention, size_t layer, size_t head);
size_t hl_attention_head_size(const hl_attention* attention, size_t layer, size_t head);
/* [c]; NULL if the model has no classification head or labels tokens. */
const float* hl_attention_logits(const hl_attention* attention);
/* [c], as hl_classify() gives them; NULL also for a regression. */
const float* hl_attention_probabilities(const hl_attention* attention);
/* [c, t]: how each label attends to the tokens. NULL: there is no such head of label attention. */
const float* hl_attention_label_weights(const hl_attention* attention, size_t label_head);
/* In nats, the mean over the queries, as `headlight attention --stats` prints it. NaN: there is no
 * such head. */
double hl_attention_entropy(const hl_attention* attention, size_t layer, size_t head);
/* How one query attends in one head. products [t]: query * key of each key. scores [t]: of which
 * the weights are the softmax, that is products (and relative scores, as in DeBERTa) times the
 * scale, plus the bias of the distance; -infinity for a key that the query does not see, which is
 * never itself. output [head size]: the sum of weight * value, also of a head that is off. NULL:
 * not wanted. */
hl_status hl_attention_steps(const hl_attention* attention, size_t layer, size_t head, size_t query,
                             float* products, float* scores, float* output);
/* The words of two texts that stand for each other: the same or substituted in the edit distance by
 * word, special tokens by special tokens alone. Fills pairs [count, 2] with their numbers before
 * and after, as of hl_encoding_words(), ascending. pairs must have room for each word of the text
 * that has fewer. */
hl_status hl_attention_align(const hl_attention* before, const hl_attention* after, uint32_t* pairs,
                             size_t* count);
/* difference [count, count]: the attention of one head between the words of hl_attention_align(),
 * after less before; rows are queries. To a word it is the sum over its tokens, from a word the
 * mean. HL_BAD_ARGUMENT if the numbers of layers or heads differ. */
hl_status hl_attention_difference(const hl_attention* before, const hl_attention* after,
                                  size_t layer, size_t head, float* difference);
void hl_attention_free(hl_attention* attention);

typedef struct hl_explanation hl_explanation; /* the effect of each word on each logit */
hl_status hl_explain(const hl_model* model, const hl_text* text, const hl_run_options* options,
                     hl_explanation** explanation);
size_t hl_explanation_words(const hl_explanation* explanation);
/* The bytes of the word. Returns 1: of the text, 2: of the pair; 0: there is no such word. */
int32_t hl_explanation_word(const hl_explanation* explanation, size_t word, size_t* begin,
                            size_t* end);
const float* hl_explanation_effects(const hl_explanation* explanation, size_t word); /* [c] */
const float* hl_explanation_logits(const hl_explanation* explanation);               /* [c] */
void hl_explanation_free(hl_explanation* explanation);

/* Below is what the WebAssembly module lacks. Text that it makes is freed by hl_string_free(). */
void hl_string_free(char* string);
/* Names, paths and labels of the models that hl_model_load() finds by name: JSON as `headlight
 * models --format json`. */
hl_status hl_models(hl_engine* engine, char** report);

/* The Arrow C data interface, as published:
 * https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif
/* hl_classify() and hl_embed() of a column of texts: utf8, large_utf8, utf8_view, or a dictionary
 * of them. n is its length. A null is a row with HL_BAD_TEXT. The column is read, never released.
 */
hl_status hl_classify_arrow(const hl_model* model, const struct ArrowSchema* schema,
                            const struct ArrowArray* texts, const hl_run_options* options,
                            float* logits, float* probabilities, hl_row* rows);
hl_status hl_embed_arrow(const hl_model* model, const struct ArrowSchema* schema,
                         const struct ArrowArray* texts, const hl_run_options* options,
                         float* vectors, hl_row* rows);
/* hl_text_error() of a row of a column. */
size_t hl_text_error_arrow(const hl_model* model, const struct ArrowSchema* schema,
                           const struct ArrowArray* texts, size_t row,
                           const hl_run_options* options, char* buffer, size_t size);

typedef struct {
  size_t struct_size;
  const char* train; /* as --train of `headlight fit`; NULL: "auto" */
  const char* start; /* path or name of the model to start from; NULL: the bundled encoder */
  double minutes;    /* "auto" tries what takes so many minutes of two threads */
  double dev_share;  /* held out, if there are no development texts */
  const hl_text* dev_texts;
  const char* const* dev_labels;
  size_t dev_n;
  /* [n] or NULL. How often each row counts, as copies of it: multiples of the smallest weight above
   * 0, rounded, on average at most 8. 0: the row is left out. */
  const float* weights;
  uint64_t seed;
  int32_t overwrite; /* 1: a model in the directory is replaced */
  /* Called on any thread, one call at a time, with the share of the phase that is done, such as
   * "training". Nonzero stops: HL_STOPPED. May be NULL. */
  int32_t (*progress)(void* user, double done, const char* phase);
  void* user;
} hl_fit_options;
void hl_fit_options_defaults(hl_fit_options* options);
/* Trains a model, with the bytes that `headlight fit` gives config, weights and vocabulary from the
 * same rows. labels [n]: of each text, "\n" between several; with "\n" at its end, one is a list of
 * one, and "\n" alone a list of none. A row whose text or label is NULL, or that cannot be read, is
 * left out and counted in the report; so is an empty label where rows have one each. The directory
 * appears whole or not at all. report: JSON as `headlight fit --format json`, or NULL. The engine
 * has precision fp32. */
hl_status hl_fit(hl_engine* engine, const hl_text* texts, const char* const* labels, size_t n,
                 const hl_fit_options* options, const char* directory, char** report);
/* JSON as `headlight evaluate --format json`. Labels are as in hl_fit(). */
hl_status hl_evaluate(const hl_model* model, const hl_text* texts, const char* const* labels,
                      size_t n, const hl_run_options* options, char** report);
/* scores [n]: how well each text answers the query, as `headlight rank --all` gives them; NaN for a
 * bad text. rows [n] or NULL. */
hl_status hl_rank(const hl_model* model, const hl_text* query, const hl_text* texts, size_t n,
                  const hl_run_options* options, float* scores, hl_row* rows);
/* Labels that the model was not trained on: it was trained on entailment, or is GLiClass. labels
 * [k], all different. each_alone 1: a probability for each label by itself. logits and
 * probabilities [n, k]; either may be NULL. rows [n] or NULL. */
hl_status hl_zero_shot(const hl_model* model, const hl_text* texts, size_t n,
                       const char* const* labels, size_t k, int32_t each_alone,
                       const hl_run_options* options, float* logits, float* probabilities,
                       hl_row* rows);

typedef struct hl_entity_list hl_entity_list; /* what a model that labels tokens finds in a text */
hl_status hl_entities(const hl_model* model, const hl_text* text, const hl_run_options* options,
                      hl_entity_list** entities);
size_t hl_entity_list_size(const hl_entity_list* entities);
const char* hl_entity_list_label(const hl_entity_list* entities, size_t entity);
/* The bytes of the entity. Returns 1; 0: there is no such entity. */
int32_t hl_entity_list_place(const hl_entity_list* entities, size_t entity, size_t* begin,
                             size_t* end);
float hl_entity_list_probability(const hl_entity_list* entities, size_t entity);
void hl_entity_list_free(hl_entity_list* entities);

/* Self-contained pages: HTML that loads nothing, light and dark. The first is that of `headlight
 * attention -o a.html`, of one text or of two beside each other. */
hl_status hl_attention_page(const hl_model* model, const hl_text* texts, size_t n,
                            const hl_run_options* options, char** html);
/* As `headlight attention --steps`: how one head computes what one token attends to. */
hl_status hl_steps_page(const hl_model* model, const hl_text* text, size_t layer, size_t head,
                        size_t query, const hl_run_options* options, char** html);
/* As `headlight explain -o e.html`. */
hl_status hl_explanation_page(const hl_model* model, const hl_text* text,
                              const hl_run_options* options, char** html);
/* NOLINTEND(modernize-*) */
#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
