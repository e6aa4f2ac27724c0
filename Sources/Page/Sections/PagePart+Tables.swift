import ExactArithmetic
import Money

/// A column of a table: its heading, and the function that writes a row's cell.
struct Column<Row> {
  let head: String
  var isFigures = false
  let write: (Row) -> Void
}

/// Tables, and cells that several of them use.
extension PagePart {
  /// Writes a table with a row for each of `rows`.
  func table<Row>(
    _ id: String, caption: String, class name: String = "", _ columns: [Column<Row>], rows: some Sequence<Row>,
    rowClass: (Row) -> String? = { _ in nil }
  ) {
    table(id, caption: caption, class: name, columns) {
      html.element("tbody") {
        for row in rows { write(row, columns, class: rowClass(row)) }
      }
    }
  }

  /// Writes a table in its own box. If the table is wider than the page, the box scrolls and shows that it does. In a
  /// narrow window the table's rows are blocks of lines instead.
  ///
  /// - Parameter bodies: writes the rows, in a `tbody` for each group.
  func table<Row>(
    _ id: String, caption: String, class name: String = "", _ columns: [Column<Row>], bodies: () -> Void
  ) {
    html.element("div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption]) {
      html.element("table", ["id": id, "class": name]) {
        html.element("caption", text: caption)
        html.element("thead") {
          html.element("tr") {
            for column in columns {
              html.element("th", ["scope": "col", "class": column.isFigures ? "number" : "word"], text: column.head)
            }
          }
        }
        html.newLine()
        bodies()
      }
    }
  }

  func write<Row>(_ row: Row, _ columns: [Column<Row>], class name: String? = nil) {
    html.element("tr", ["class": name]) {
      for column in columns { column.write(row) }
    }
    html.newLine()
  }

  // MARK: Columns

  /// A column that identifies the row.
  func names<Row>(_ head: String, class name: String? = nil, _ write: @escaping (Row) -> Void) -> Column<Row> {
    Column(head: head) { row in html.element("th", ["scope": "row", "class": name]) { write(row) } }
  }

  /// A column that identifies the row by its currency.
  func currencies<Row>(_ currency: @escaping (Row) -> Currency) -> Column<Row> {
    Column(head: "Currency") { row in
      html.element("th", ["scope": "row", "title": currency(row).name], text: currency(row).code)
    }
  }

  /// A column of words or a picture.
  func words<Row>(_ head: String, class name: String, _ write: @escaping (Row) -> Void) -> Column<Row> {
    Column(head: head) { row in html.element("td", ["class": name]) { write(row) } }
  }

  /// A column of texts of a batch, which may be empty.
  func texts<Row>(_ head: String, class name: String, _ text: @escaping (Row) -> String) -> Column<Row> {
    words(head, class: name) { row in if !text(row).isEmpty { html.foreign(text(row)) } }
  }

  /// A column of digests in hexadecimal digits.
  func digests<Row>(_ digest: @escaping (Row) -> String) -> Column<Row> {
    words("SHA-256", class: "digest") { row in html.element("code", text: digest(row)) }
  }

  func counts<Row>(_ head: String, _ count: @escaping (Row) -> Int) -> Column<Row> {
    figures(head) { html.figure(count($0)) }
  }

  func amounts<Row>(_ head: String, _ amount: @escaping (Row) -> ExactDecimal) -> Column<Row> {
    figures(head, class: { amount($0).isZero ? " zero" : "" }) { html.figure(amount($0)) }
  }

  /// A column of figures; in a narrow window, `head` is next to each of them.
  func figures<Row>(
    _ head: String, class name: @escaping (Row) -> String = { _ in "" }, _ write: @escaping (Row) -> Void
  ) -> Column<Row> {
    Column(head: head, isFigures: true) { row in
      html.element("td", ["class": "number" + name(row), "data-head": head]) { write(row) }
    }
  }
}
