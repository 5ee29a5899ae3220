/* classify TEXT...: prints the label and its probability for each text, by the bundled model. */
#include <stdio.h>

#include <headlight.h>

int main(int argc, char **argv) {
  hl_engine *engine = NULL;
  hl_model *model = NULL;
  hl_status status = hl_engine_new(NULL, &engine);
  if (status == HL_OK) status = hl_model_load(engine, "sentiment", &model);
  for (int i = 1; i < argc && status == HL_OK; ++i) {
    const hl_text text = {argv[i], HL_C_STRING, NULL, 0};
    float logits[2], probabilities[2];
    status = hl_classify(model, &text, 1, NULL, logits, probabilities, NULL);
    if (status != HL_OK) break;
    const size_t best = logits[1] > logits[0];
    printf("%s %.7f  %s\n", hl_model_label(model, best), (double)probabilities[best], argv[i]);
  }
  if (status != HL_OK) fprintf(stderr, "classify: %s\n", hl_last_error());
  hl_model_free(model);
  hl_engine_free(engine);
  return status == HL_OK ? 0 : 1;
}
