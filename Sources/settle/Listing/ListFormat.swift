import ArgumentParser

/// How a list of accounts or records looks.
enum ListFormat: String, CaseIterable, ExpressibleByArgument {
  case table
  case csv
  case jsonl
}

/// How an answer looks that is not a table with the same columns for programs.
enum TextFormat: String, CaseIterable, ExpressibleByArgument {
  case text
  case jsonl
}
