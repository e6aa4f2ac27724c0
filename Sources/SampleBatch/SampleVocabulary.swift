import Money

/// The words from which names, notes and addresses are built, as they are written in JSON (`vocabulary.txt`).
///
/// Words are plain ASCII except `accented` and `escaped`, which sometimes replace another word.
enum SampleVocabulary {
  static let qualities = words("qualities")
  static let materials = words("materials")
  static let products = words("products")
  static let phrases = words("phrases")
  static let givenNames = words("givenNames")
  static let familyNames = words("familyNames")
  static let shopWords = words("shopWords")
  static let shopKinds = words("shopKinds")
  static let hosts = words("hosts")
  static let deskNames = words("deskNames")
  static let accented = words("accented")
  static let escaped = words("escaped")
  /// Any opening of a sentence fits any ending.
  static let openings = lines("openings")
  static let endings = lines("endings")
  /// Each country is repeated by how often parties come from there.
  static let countries = words("countries").compactMap(Country.init(code:))

  /// The lines of each list, by name. A list begins with its name and a colon, and ends with an empty line.
  private static let lists: [Substring: [Substring]] = {
    let lines = String(decoding: PackageResources.vocabulary_txt, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let lists = lines.split(separator: "").map { ($0[$0.startIndex].dropLast(), Array($0.dropFirst())) }
    return Dictionary(uniqueKeysWithValues: lists)
  }()

  private static func lines(_ name: Substring) -> [String] { lists[name, default: []].map(String.init) }

  private static func words(_ name: Substring) -> [String] {
    lists[name, default: []].flatMap { $0.split(separator: " ").map(String.init) }
  }
}
