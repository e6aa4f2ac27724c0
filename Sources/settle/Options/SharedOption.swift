import ArgumentParser
import Console
import Records

/// What options and arguments of several commands have in common. A group of one option instead would cost each start
/// four searches of all conformances.
struct SharedOption<Value> {
  fileprivate let name: NameSpecification
  fileprivate let help: ArgumentHelp
  fileprivate var completion: CompletionKind?
  fileprivate let parse: @Sendable (String) throws -> Value
}

extension SharedOption<String> {
  static func file(_ help: String, name: NameSpecification = .long, valueName: String = "file") -> Self {
    Self(name: name, help: ArgumentHelp(help, valueName: valueName), completion: .file(), parse: named)
  }

  static func directory(_ help: String, name: NameSpecification = .long) -> Self {
    Self(name: name, help: ArgumentHelp(help, valueName: "dir"), completion: .directory, parse: named)
  }

  /// A ledger with earlier runs.
  static var ledger: Self { .file("The ledger, as settle run --ledger made it.") }

  static var output: Self { .directory("The directory to make; its parent must exist.", name: .shortAndLong) }
}

extension SharedOption<CalendarDay> {
  static func day(_ help: String) -> Self {
    Self(name: .long, help: ArgumentHelp(help, valueName: "YYYY-MM-DD"), parse: CalendarDay.parsed)
  }

  /// A day that a ledger can have.
  static func dayOfLedger(_ help: String, name: NameSpecification = .long) -> Self {
    Self(name: name, help: ArgumentHelp(help, valueName: "YYYY-MM-DD"), parse: CalendarDay.parsedOfLedgers)
  }
}

extension Option {
  init(_ shared: SharedOption<Value>) {
    self.init(name: shared.name, help: shared.help, completion: shared.completion, transform: shared.parse)
  }

  init<One>(_ shared: SharedOption<One>) where Value == One? {
    self.init(name: shared.name, help: shared.help, completion: shared.completion, transform: shared.parse)
  }

  init<One>(_ shared: SharedOption<One>) where Value == [One] {
    self.init(name: shared.name, help: shared.help, completion: shared.completion, transform: shared.parse)
  }

  init<One>(wrappedValue: [One], _ shared: SharedOption<One>) where Value == [One] {
    self.init(
      wrappedValue: wrappedValue, name: shared.name, help: shared.help, completion: shared.completion,
      transform: shared.parse)
  }
}

extension Argument {
  init(_ shared: SharedOption<Value>) {
    self.init(help: shared.help, completion: shared.completion, transform: shared.parse)
  }

  init<One>(_ shared: SharedOption<One>) where Value == One? {
    self.init(help: shared.help, completion: shared.completion, transform: shared.parse)
  }

  init<One>(_ shared: SharedOption<One>) where Value == [One] {
    self.init(help: shared.help, completion: shared.completion, transform: shared.parse)
  }
}
