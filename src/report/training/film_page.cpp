#include "report/training/film_page.h"

#include <vector>

#include "base/base64.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "report/attention/attention_page.h"
#include "report/formats/html.h"

namespace headlight {
namespace {

std::string film_json(const Film& film) {
  std::string out;
  JsonWriter json(out);
  const auto names = [](const std::vector<std::string>& given) {
    std::vector<std::string> shown;
    shown.reserve(given.size());
    for (const std::string& name : given) shown.push_back(printable(name));
    return shown;
  };
  const std::vector<FilmFrame> frames = film.frames();
  const auto& development = frames.back().development;
  json.begin_object().key("tokens").strings(names(film.tokens()));
  json.key("labels").strings(names(film.labels()));
  json.key("layers").numbers(film.heads());
  if (development) json.field("measure", development->name);
  json.key("frames").array(frames, [&](const FilmFrame& frame) {
    json.begin_object().field("epoch", frame.epoch);
    if (frame.loss) json.field("loss", *frame.loss);
    if (frame.development) {
      json.field("devLoss", frame.development->loss).field("devScore", frame.development->score);
    }
    json.key("scores").numbers(frame.scores);
    json.field("attention", encode_base64(frame.attention)).end_object();
  });
  json.end_object();
  return out;
}

constexpr const char* kControls =
    R"html(<p id="when" role="status" style="min-height:3em"></p>
<p class="film-time"><button type="button" id="play">play</button>
<input type="range" id="epoch" min="0" step="1" aria-label="Epoch"></p>
<h2>Prediction</h2>
<table class="film" id="verdict"></table>
<h2>Loss</h2>
<p class="quiet" id="curves"></p>
<div class="film"><svg viewBox="0 0 600 120" role="img" aria-label="loss over the epochs" fill="none">
<path d="M10 110H590" stroke="var(--edge)"/><path id="now" stroke="var(--quiet)"/>
<polyline id="loss" stroke="var(--accent)" stroke-width="2"/>
<polyline id="devLoss" stroke="var(--harmful)" stroke-width="2" stroke-dasharray="6 4"/></svg>
<p class="quiet" id="epochs"></p></div>
<h2>Attention of all heads</h2>
<p class="quiet">Rows are queries, columns are keys; the fullest colour is weight 1.</p>
<div id="heads"></div>
<noscript><p>This page needs JavaScript, which is disabled in this browser.</p></noscript>
)html";

}  // namespace

std::string film_page(const Film& film) {
  return html_page("A training, epoch by epoch: " + printable(film.text()),
                   kControls + data_element("film", 1, film_json(film)) + "<script>\n" +
                       std::string(kFilmScript) + "</script>\n");
}

}  // namespace headlight
