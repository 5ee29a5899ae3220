// The families, each in a file of its name. To add one, write NAME.cpp that defines kNAMEFamily,
// and add a line here and in src/model/CMakeLists.txt.
#pragma once

#include "model/families/family.h"

// clang-format off
#define HEADLIGHT_FAMILIES(FAMILY)                                       \
  FAMILY(Native)      /* written by hand, by our scripts or by `init` */ \
  FAMILY(Bert)        /* Devlin et al. 2019 */                           \
  FAMILY(DistilBert)  /* Sanh et al. 2019 */                             \
  FAMILY(Roberta)     /* Liu et al. 2019 */                              \
  FAMILY(Electra)     /* Clark et al. 2020 */                            \
  FAMILY(Albert)      /* Lan et al. 2020 */                              \
  FAMILY(Mpnet)       /* Song et al. 2020 */                             \
  FAMILY(Ernie)       /* Sun et al. 2020 */                              \
  FAMILY(Data2VecText)        /* Baevski et al. 2022 */                  \
  FAMILY(RobertaPreLayerNorm) /* fairseq's normalize-before */           \
  FAMILY(XlmRobertaXl)        /* Goyal et al. 2021 */                    \
  FAMILY(RemBert)             /* Chung et al. 2021 */                    \
  FAMILY(NomicBert)           /* Nussbaum et al. 2024 */                 \
  FAMILY(Gte)                 /* Zhang et al. 2024 */                    \
  FAMILY(JinaEmbeddingsV3)    /* Sturua et al. 2024 */                   \
  FAMILY(EuroBert)            /* Boizard et al. 2025 */                  \
  FAMILY(RoFormer)            /* Su et al. 2021 */                       \
  FAMILY(Deberta)     /* He et al. 2021 */                               \
  FAMILY(DebertaV2)   /* He et al. 2021; also DeBERTa-v3 and mDeBERTa */ \
  FAMILY(ModernBert)  /* Warner et al. 2024 */                           \
  FAMILY(GliClass)    /* Stepanov et al. 2025 */                         \
  FAMILY(Gpt2)        /* Radford et al. 2019 */                          \
  FAMILY(Llama)       /* Touvron et al. 2023 */                          \
  FAMILY(Mistral)     /* Jiang et al. 2023 */                            \
  FAMILY(Gemma)       /* Gemma Team 2024 */                              \
  FAMILY(Bart)        /* Lewis et al. 2020; also mBART */                \
  FAMILY(T5)          /* Raffel et al. 2020; also mT5 and UMT5 */        \
  FAMILY(BareDeberta) /* a linear layer on a DeBERTa-v3 that is named */ \
  FAMILY(StaticTable) /* tables of vectors: model2vec, StaticEmbedding */
// clang-format on

namespace headlight {

#define HEADLIGHT_DECLARE(NAME) extern const Family k##NAME##Family;
HEADLIGHT_FAMILIES(HEADLIGHT_DECLARE)
#undef HEADLIGHT_DECLARE

}  // namespace headlight
