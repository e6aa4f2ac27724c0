/// Who an account is paid as, and the language of its pages.
public struct PagePayee: Sendable {
  /// The name; empty without one.
  package let name: String
  /// The lines of the address; none without one.
  package let address: [String]
  /// The locale of its pages; nil without one.
  package let locale: StatementLocale?

  package init(name: String, address: [String], locale: StatementLocale?) {
    (self.name, self.address, self.locale) = (name, address, locale)
  }
}
