// Names that fit a column, and are still told apart.
#include "report/formats/plain_text.h"

#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::plain_text_test {
namespace {

TEST_CASE("a long text keeps its beginning and its end") {
  struct Row {
    const char* text;
    std::size_t columns;
    const char* shown;
  };
  const Row rows[] = {{"card_payment_fee_charged", 24, "card_payment_fee_charged"},
                      {"card_payment_fee_charged", 17, "card_pay…_charged"},
                      {"card_payment_fee_charged", 16, "card_pay…charged"},
                      {"abcd", 3, "a…d"},
                      {"", 3, ""},
                      {"日本語日本語", 7, "日…本語"},  // two columns each
                      {"日本語日本語", 8, "日本…語"},
                      {"日本語", 6, "日本語"}};
  for (const auto& [text, columns, shown] : rows) {
    INFO(text);
    CHECK(cut_to(text, columns) == shown);
    CHECK(width_of(cut_to(text, columns)) <= columns);
  }
  // No accent loses its letter.
  CHECK(cut_to("aaaaaae\u0301b", 5) == "aa…e\u0301b");
  CHECK(cut_to("aaaaaae\u0301b", 3) == "a…b");
}

TEST_CASE("different names of a list stay different") {
  const std::vector<std::string> alike = {
      "balance_not_updated_after_bank_transfer", "balance_not_updated_after_wire_transfer",
      "balance_not_updated_after_cheque_or_cash_deposit", "activate_my_card"};
  for (const std::size_t columns : {8, 16, 24}) {
    const auto shown = shown_names(alike, columns);
    REQUIRE(shown.size() == alike.size());
    CHECK(std::set<std::string>(shown.begin(), shown.end()).size() == alike.size());
    CHECK(shown[3].starts_with("act"));
  }
  CHECK(shown_names(alike, 24)[2] == "balance_not_…ash_deposit");
  const std::string middle = std::string(60, 'a');
  const auto shown = shown_names({middle + "x" + middle, middle + "y" + middle, "z"});
  CHECK(shown[0] != shown[1]);
  CHECK(shown[2] == "z");
  CHECK(shown_names({middle, middle}) == std::vector<std::string>(2, "aaaaaaaaaaaa…aaaaaaaaaaa"));
  CHECK(shown_names({"\x1b[2J"}) == std::vector<std::string>{"\\x1b[2J"});
  CHECK(shown_names({}).empty());
}

}  // namespace
}  // namespace headlight::plain_text_test
