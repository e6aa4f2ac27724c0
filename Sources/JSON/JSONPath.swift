/// Where a value is in a JSON document.
package indirect enum JSONPath: Sendable {
  case root
  case field(String, in: JSONPath)
  case element(Int, in: JSONPath)

  /// Names with dots between, places in brackets: `files[0].name`. Empty for the whole document.
  package func dotted(_ show: (String) -> String = { $0 }) -> String {
    switch self {
    case .root: return ""
    case .field(let name, let outer):
      let before = outer.dotted(show)
      return before.isEmpty ? show(name) : "\(before).\(show(name))"
    case .element(let place, let outer): return "\(outer.dotted(show))[\(place)]"
    }
  }

  /// A JSON Pointer (RFC 6901).
  package func pointer(_ show: (String) -> String = { $0 }) -> String {
    switch self {
    case .root: ""
    case .field(let name, let outer):
      outer.pointer(show) + "/" + show(name).replacing("~", with: "~0").replacing("/", with: "~1")
    case .element(let place, let outer): "\(outer.pointer(show))/\(place)"
    }
  }

  /// The name of the field, or of the array's field; empty for the whole document.
  package var name: String {
    switch self {
    case .root: ""
    case .field(let name, _): name
    case .element(_, let outer): outer.name
    }
  }
}
