// A page of attention, prediction and loss over the epochs of a training.
#pragma once

#include <string>
#include <string_view>

#include "training/film.h"

namespace headlight {

/// One offline page with a slider. The film must have a frame.
std::string film_page(const Film& film);

/// film.js, as the build puts it into the library.
extern const std::string_view kFilmScript;

}  // namespace headlight
