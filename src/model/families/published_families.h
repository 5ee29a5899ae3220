// The families of published checkpoints, each in a file of its own name.
#pragma once

#include "model/families/family.h"

namespace headlight {

extern const Family kBertFamily;        // Devlin et al. 2019
extern const Family kDistilBertFamily;  // Sanh et al. 2019
extern const Family kRobertaFamily;     // Liu et al. 2019; XLM-RoBERTa and CamemBERT too
extern const Family kElectraFamily;     // Clark et al. 2020
extern const Family kAlbertFamily;      // Lan et al. 2020
extern const Family kMpnetFamily;       // Song et al. 2020

}  // namespace headlight
