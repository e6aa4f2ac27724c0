import FileSystem

/// The names of what commands publish.
package struct PublishedNames: Sendable {
  /// Whether reports have a file or folder of this name: `--replace` swaps out only these.
  let isReport: PartialDirectory.OwnNames
  /// Whether any command publishes a file or folder of this name.
  let isOwn: PartialDirectory.OwnNames

  package init(isReport: @escaping PartialDirectory.OwnNames, isOwn: @escaping PartialDirectory.OwnNames) {
    (self.isReport, self.isOwn) = (isReport, isOwn)
  }
}
