import ArgumentParser

/// A line of a batch as `--line` names it: `N` or `FILE:N`.
struct LinePlace {
  /// The file's name as given; nil if there is only one.
  let file: String?
  /// The line's number, from 1.
  let number: Int

  /// Throws if a text names no line.
  @Sendable static func parsed(_ text: String) throws -> LinePlace {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let number = parts.last.flatMap({ Int($0) }), number > 0 else {
      throw ValidationError("expected a line's number, from 1, or FILE:N")
    }
    return LinePlace(file: parts.count > 1 ? parts.dropLast().joined(separator: ":") : nil, number: number)
  }

  /// Whether it is a line of one of a batch's files.
  func isIn(_ batch: [String]) -> Bool { file.map(batch.contains) ?? (batch.count == 1) }
}
