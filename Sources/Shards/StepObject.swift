import Bytes
import Failures
import JSON

/// A value in a step's JSON file.
protocol StepValue {
  /// Reads the value; throws if the field is missing or has another type.
  init(_ json: ShardJSON) throws(Failure)
  var json: JSONTree { get }
}

/// An object in a step's JSON file. Its table says once what its fields are called and where their values are.
protocol StepObject: StepValue {
  init()
  /// In the order in which they are written.
  static var fields: [StepField<Self>] { get }
}

extension StepObject {
  init(_ json: ShardJSON) throws(Failure) {
    self.init()
    for field in Self.fields { try field.read(&self, json[field.name]) }
  }

  var json: JSONTree { .object(namedValues) }

  var namedValues: [(String, JSONTree)] {
    Self.fields.compactMap { field in field.write(self).map { (field.name, $0) } }
  }
}

struct StepField<Object> {
  let name: String
  /// Returns the value; nil if the field is left out.
  let write: (Object) -> JSONTree?
  /// Takes the value, which is null if the field is missing.
  let read: (inout Object, ShardJSON) throws(Failure) -> Void

  init(
    _ name: String, write: @escaping (Object) -> JSONTree?,
    read: @escaping (inout Object, ShardJSON) throws(Failure) -> Void
  ) {
    self.name = name
    self.write = write
    self.read = read
  }

  init<Value: StepValue>(_ name: String, _ path: WritableKeyPath<Object, Value>) {
    self.init(name) {
      $0[keyPath: path].json
    } read: { (object, json) throws(Failure) in
      object[keyPath: path] = try Value(json)
    }
  }

  /// A field that is left out, not null, if it has no value.
  init<Value: StepValue>(optional name: String, _ path: WritableKeyPath<Object, Value?>) {
    self.init(name) {
      $0[keyPath: path]?.json
    } read: { (object, json) throws(Failure) in
      object[keyPath: path] = try Value?(json)
    }
  }

  /// Bytes in hexadecimal digits.
  init(hexadecimal name: String, _ path: WritableKeyPath<Object, [UInt8]>) {
    self.init(name) {
      .string(Hexadecimal.text($0[keyPath: path]))
    } read: { (object, json) throws(Failure) in
      guard let bytes = Hexadecimal.bytes(try String(json).utf8) else { throw json.lacking() }
      object[keyPath: path] = bytes
    }
  }

  /// A value that is named by its text.
  init<Value: RawRepresentable<String>>(named name: String, _ path: WritableKeyPath<Object, Value>) {
    self.init(name) {
      .string($0[keyPath: path].rawValue)
    } read: { (object, json) throws(Failure) in
      guard let value = Value(rawValue: try String(json)) else { throw json.lacking() }
      object[keyPath: path] = value
    }
  }

  /// The same field in an object that contains this one without a name of its own.
  func lifted<Outer>(to path: WritableKeyPath<Outer, Object>) -> StepField<Outer> {
    StepField<Outer>(name) {
      write($0[keyPath: path])
    } read: { (outer, json) throws(Failure) in
      try read(&outer[keyPath: path], json)
    }
  }

  /// The same field in an object that may contain this one without a name of its own.
  func lifted<Outer>(to path: WritableKeyPath<Outer, Object?>) -> StepField<Outer> where Object: StepObject {
    StepField<Outer>(name) {
      $0[keyPath: path].flatMap(write)
    } read: { (outer, json) throws(Failure) in
      if json.isMissing { return }
      var object = outer[keyPath: path] ?? Object()
      try read(&object, json)
      outer[keyPath: path] = object
    }
  }
}

// MARK: Values

extension Int: StepValue {
  init(_ json: ShardJSON) throws(Failure) {
    guard let value = json.tree.integer else { throw json.lacking() }
    self = value
  }

  var json: JSONTree { .number(self) }
}

extension Bool: StepValue {
  init(_ json: ShardJSON) throws(Failure) {
    guard case .boolean(let value) = json.tree else { throw json.lacking() }
    self = value
  }

  var json: JSONTree { .boolean(self) }
}

extension String: StepValue {
  init(_ json: ShardJSON) throws(Failure) {
    guard let value = json.tree.string else { throw json.lacking() }
    self = value
  }

  var json: JSONTree { .string(self) }
}

extension Optional: StepValue where Wrapped: StepValue {
  init(_ json: ShardJSON) throws(Failure) { self = json.isMissing ? nil : try Wrapped(json) }

  var json: JSONTree { map(\.json) ?? .null }
}

extension Array: StepValue where Element: StepValue {
  init(_ json: ShardJSON) throws(Failure) {
    self = try json.elements().map { element throws(Failure) in try Element(element) }
  }

  var json: JSONTree { .array(map(\.json)) }
}
