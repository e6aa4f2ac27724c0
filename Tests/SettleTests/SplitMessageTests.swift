import Foundation
import JSON
import Testing
import TestSupport

@testable import settle

/// The messages of `settle split` when it cannot divide.
@Suite struct SplitMessageTests {
  static let divisions: [(fields: String, says: String)] = [
    (
      #""currency":"usd""#,
      "CURRENCY_NOT_SUPPORTED at /currency: currency is \"usd\"; expected one of the currencies that settle currencies "
        + "lists; did you mean USD?"
    ),
    (#""currency":5"#, #"WRONG_TYPE at /currency: currency is a number, "5"; expected a string"#),
    (#""currency":null"#, "MISSING_FIELD at /currency: currency is missing; it is required"),
    (
      #""amount":"1,00""#,
      "DECIMAL_SYNTAX at /amount: amount is \"1,00\"; expected a decimal like 12.34 of at most 64 digits and an exponent "
        + "from -64 to 64"
    ),
    (#""amount":0"#, #"AMOUNT_NOT_POSITIVE at /amount: amount is "0"; expected a value above zero"#),
    (#""amount":"-1""#, #"NEGATIVE_AMOUNT at /amount: amount is "-1"; expected no value below zero"#),
    (#""amount":"1.001""#, #"AMOUNT_PRECISION at /amount: amount is "1.001"; USD takes at most 2 decimals"#),
    (#""amount":"1.5","currency":"JPY""#, #"AMOUNT_PRECISION at /amount: amount is "1.5"; JPY takes no decimals"#),
    (#""terms":{}"#, "WRONG_TYPE at /terms: terms is an object; expected an array of objects"),
    (#""terms":[]"#, "INVALID_VALUE at /terms: 0 terms; expected 1 to 1000"),
    (#""terms":["a"]"#, #"WRONG_TYPE at /terms/0: a term is a string, "a"; expected an object"#),
    (
      #""terms":[{"name":"a","percent":"60"},{"name":"b","percent":"60"}]"#,
      "SPLIT_EXCEEDS_TOTAL at /terms: the parts promise 120.00 of 100.00"
    ),
    (
      #""terms":[{"name":"a","percent":"33.33"},{"name":"b","percent":"33.33"},{"name":"c","percent":"33.33"}]"#,
      "SPLIT_NOT_WHOLE at /terms: the parts add up to 99.99 of 100.00; expected a term that is rest: it gets what is left"
    ),
    (
      #""amount":"0.01","terms":[{"name":"a","share":1},{"name":"b","share":1}]"#,
      "SPLIT_ZERO_PART at /terms/1: the part of 0.01 comes to zero; give it min 0 if that is wanted"
    ),
    (
      #""terms":[{"name":"a","rest":true},{"name":"b","rest":true}]"#,
      "SPLIT_TERMS at /terms: several terms are rest; expected at most one"
    ),
    (
      #""terms":[{"name":"a","percent":1,"share":1}]"#,
      "SPLIT_TERMS at /terms/0: a term has several of subtotal, percent, share and rest; expected exactly one"
    ),
    (
      #""terms":[{"name":"a"}]"#,
      "SPLIT_TERMS at /terms/0: a term has none of subtotal, percent, share and rest; expected exactly one"
    ),
    (
      #""terms":[{"name":"a","subtotal":1,"min":1}]"#,
      "SPLIT_TERMS at /terms/0: a term has min or max; only percent and share take them"
    ),
    (
      #""terms":[{"name":"a","share":1,"min":"20","max":10}]"#,
      "SPLIT_TERMS at /terms/0/min: min is 20.00; max is only 10.00"
    ),
    (
      #""terms":[{"name":"a","percent":"101"}]"#,
      #"INVALID_VALUE at /terms/0/percent: percent is "101"; expected a percentage of at most 100"#
    ),
    (
      #""terms":[{"name":"a","rest":"yes"}]"#,
      #"WRONG_TYPE at /terms/0/rest: rest is a string, "yes"; expected true or false"#
    ),
    (#""terms":[{"name":"","share":1}]"#, #"INVALID_VALUE at /terms/0/name: name is ""; expected 1 to 255 characters"#),
    (
      #""terms":[{"name":"a\u00a0","share":1},{"name":"a\u00a0","share":1}]"#,
      #"RECEIVERS_NOT_UNIQUE at /terms/1/name: name is "a\u00a0"; an earlier term has the same"#
    ),
    (#""amount":1,"amount":1"#, "DUPLICATE_FIELD: amount is given twice in one object"),
    (#""terms":[{"name":"a","name":"b"}]"#, "DUPLICATE_FIELD: name is given twice in one object"),
    // The conventions of other libraries.
    (
      #""convention":"floor_to_frist""#,
      "unknown_convention: convention is \"floor_to_frist\"; expected floor_to_first, floor_to_last, "
        + "floor_to_largest_ratio, largest_remainder, floor_remainder_separate, block_remainder_separate, "
        + "cascade_from_last_truncate or round_each_last_absorbs"
    ),
    (#""convention":"floor_to_last""#, "empty_ratios: there are no ratios; expected an array of one or more"),
    (
      #""convention":"floor_to_last","ratios":[1,"x"]"#,
      #"invalid at /ratios: a ratio is "x"; expected a decimal or a fraction like 1/3"#
    ),
    (#""convention":"floor_to_last","ratios":[1,-1]"#, "negative_ratio: a ratio is below zero"),
    (#""convention":"floor_to_last","ratios":[0]"#, "zero_ratio_sum: all ratios are zero, and the amount is not"),
    (
      #""convention":"floor_to_last","ratios":[1],"amount":"x""#,
      #"invalid at /amount: amount is "x"; expected a decimal"#
    ),
    (
      #""convention":"floor_to_last","ratios":[1],"step":"0.3""#,
      #"invalid at /amount: amount is "100.00"; expected a multiple of 0.3"#
    ),
    (
      #""convention":"round_each_last_absorbs","ratios":[1]"#,
      "invalid at /rounding: rounding is not given; expected HALF_UP, HALF_DOWN, HALF_EVEN, UP, DOWN, CEILING or FLOOR"
    ),
  ]

  @Test("the code, the field, the value and what was expected", arguments: divisions)
  func says(fields: String, says: String) throws {
    // If the case gives a field, it replaces the default one.
    let others = [#""amount":"100.00""#, #""currency":"USD""#, #""terms":[{"name":"a","share":1}]"#].filter {
      !fields.contains("\($0.prefix { $0 != ":" }):")
    }
    let line = try JSONTree(parsing: Array("{\((others + [fields]).joined(separator: ","))}".utf8))
    let error = #expect(throws: DivisionError.self) {
      try DivisionLine.expectKeysOnce(line)
      _ =
        line["convention"] == nil
        ? try SplitDivision(JSONNode(line.withoutNulls)).parts() : try ConventionDivision.parts(line)
    }
    #expect(error?.description == says)
  }

  @Test("errors of lines with their place, on standard error; the objects are as usual")
  func lines() throws {
    let folder = try CommandFolder()
    let lines = [
      Array(#"{"id":"1","amount":"1.00","currency":"USD","terms":[{"name":"a","share":1}]}"#.utf8), [],
      Array(#"{"id":"3","amount":"1.00","currency":"US","terms":[{"name":"a","share":1}]}"#.utf8),
      Array(#"{"id":"#.utf8) + [0xFC], Array("[]".utf8),
    ]
    try Data(lines.joined(separator: [0x0A])).write(to: folder.url.appendingPathComponent("lines"))
    let run = try folder.runApart(
      ["split"], input: FileHandle(forReadingFrom: folder.url.appendingPathComponent("lines")))
    #expect(run.exitCode == 1)
    #expect(
      run.output == """
        {"id":"1","parts":["1.00"]}
        {"id":"3","error":"CURRENCY_NOT_SUPPORTED","field":"/currency"}
        {"error":"INVALID_UTF8"}
        {"error":"NOT_AN_OBJECT"}

        """)
    #expect(
      run.error == """
        -:3: error: CURRENCY_NOT_SUPPORTED at /currency: currency is "US"; expected one of the currencies that settle \
        currencies lists
        -:4: error: INVALID_UTF8: byte 0xFC at offset 6 of the line is not UTF-8; it looks like Windows-1252 or Latin-1, \
        where it is "ü"
        -:5: error: NOT_AN_OBJECT: the line is an array; expected a JSON object

        """)
  }
}
