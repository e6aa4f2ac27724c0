import ArgumentParser

/// How a list of accounts or records looks.
enum ListFormat: String, CaseIterable, ExpressibleByArgument {
  case table
  case csv
  case jsonl
}
