/* classify TEXT...: prints the label and its probability for each text, by the bundled model. */
#include <headlight.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  hl_engine* engine = NULL;
  hl_model* model = NULL;
  hl_status status = hl_engine_new(NULL, &engine);
  if (status == HL_OK) status = hl_model_load(engine, "sentiment", &model);
  for (int i = 1; i < argc && status == HL_OK; ++i) {
    const hl_text text = {argv[i], HL_C_STRING, NULL, 0};
    const size_t labels = hl_model_labels(model);
    float* logits = malloc(labels * sizeof *logits);
    float* probabilities = malloc(labels * sizeof *probabilities);
    status = HL_NO_MEMORY;
    if (logits && probabilities) {
      status = hl_classify(model, &text, 1, NULL, logits, probabilities, NULL);
    }
    size_t best = 0;
    for (size_t k = 1; k < labels && status == HL_OK; ++k) {
      if (logits[k] > logits[best]) best = k;
    }
    if (status == HL_OK)
      printf("%s %.5f  %s\n", hl_model_label(model, best), probabilities[best], argv[i]);
    free(logits);
    free(probabilities);
  }
  if (status != HL_OK) fprintf(stderr, "classify: %s\n", hl_last_error());
  hl_model_free(model);
  hl_engine_free(engine);
  return status == HL_OK ? 0 : 1;
}
