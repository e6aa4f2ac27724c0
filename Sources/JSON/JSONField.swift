import Bytes

/// A field of an object: its name, and how its value is written and read.
package struct JSONField<Object> {
  package let name: String
  /// Returns the value; nil if the field is left out.
  package let write: (Object) -> JSONTree?
  package let read: (inout Object, JSONNode) throws(JSONFault) -> Void

  package init(
    _ name: String, write: @escaping (Object) -> JSONTree?,
    read: @escaping (inout Object, JSONNode) throws(JSONFault) -> Void
  ) {
    self.name = name
    self.write = write
    self.read = read
  }

  package init<Value: JSONValue>(_ name: String, _ path: WritableKeyPath<Object, Value>) {
    self.init(name) {
      $0[keyPath: path].json
    } read: { (object, node) throws(JSONFault) in
      object[keyPath: path] = try Value(reading: node)
    }
  }

  /// A field that is left out, not null, if it has no value.
  package init<Value: JSONValue>(optional name: String, _ path: WritableKeyPath<Object, Value?>) {
    self.init(name) {
      $0[keyPath: path]?.json
    } read: { (object, node) throws(JSONFault) in
      object[keyPath: path] = try Value?(reading: node)
    }
  }

  /// A value that is written as a text.
  package init<Value>(
    text name: String, _ path: WritableKeyPath<Object, Value>, _ expected: String,
    _ text: @escaping (Value) -> String, _ value: @escaping (String) -> Value?
  ) {
    self.init(name) {
      .string(text($0[keyPath: path]))
    } read: { (object, node) throws(JSONFault) in
      object[keyPath: path] = try node.value(expected) { $0.string.flatMap(value) }
    }
  }

  /// Bytes in hexadecimal digits.
  package init(hexadecimal name: String, _ path: WritableKeyPath<Object, [UInt8]>) {
    self.init(text: name, path, "hexadecimal digits", { Hexadecimal.text($0) }, { Hexadecimal.bytes($0.utf8) })
  }

  /// A value that is named by its text.
  package init<Value: RawRepresentable<String>>(named name: String, _ path: WritableKeyPath<Object, Value>) {
    self.init(text: name, path, "a name", \.rawValue, Value.init)
  }

  /// A value that is always the same, and is not read.
  package init(_ name: String, constant text: String) {
    self.init(name) { _ in
      .string(text)
    } read: { _, _ in
    }
  }

  /// Fields that have an object of their own in the file.
  package init(_ name: String, _ fields: [JSONField]) where Object: JSONObject {
    self.init(name) {
      .object($0.values(of: fields))
    } read: { (object, node) throws(JSONFault) in
      try object.read(fields, node)
    }
  }

  /// The same field in an object that contains this one without a name of its own.
  package func lifted<Outer>(to path: WritableKeyPath<Outer, Object>) -> JSONField<Outer> {
    JSONField<Outer>(name) {
      write($0[keyPath: path])
    } read: { (outer, node) throws(JSONFault) in
      try read(&outer[keyPath: path], node)
    }
  }

  /// The same field in an object that may contain this one without a name of its own.
  package func lifted<Outer>(to path: WritableKeyPath<Outer, Object?>) -> JSONField<Outer> where Object: JSONObject {
    JSONField<Outer>(name) {
      $0[keyPath: path].flatMap(write)
    } read: { (outer, node) throws(JSONFault) in
      if node.isNull { return }
      var object = outer[keyPath: path] ?? Object()
      try read(&object, node)
      outer[keyPath: path] = object
    }
  }
}
