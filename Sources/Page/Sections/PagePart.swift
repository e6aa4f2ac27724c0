import Digests
import FoundationEssentials

/// What all pages are made of: the frame with its policy, sections, bars, and tables (`PagePart+Tables`).
protocol PagePart {
  var html: HTMLWriter { get }
}

private let style = PackageResources.page_css
private let script = PackageResources.page_js

extension PagePart {
  /// Nothing is loaded, and the only style and script that run are this page's own, identified by their digests.
  static var policy: String {
    "default-src 'none'; style-src '\(source(style))'; script-src '\(source(script))'; "
      + "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
  }

  private static func source(_ bytes: [UInt8]) -> String {
    "sha256-" + Data(SHA256.digest(of: bytes).bytes).base64EncodedString()
  }

  /// Writes a page: its head, and its body with the page's script at the end.
  func page(_ title: String, _ content: () -> Void) {
    html.element("html", ["lang": "en"]) {
      writeHead(title)
      html.newLine()
      html.element("body") {
        content()
        html.newLine()
        html.embed("script", script)
      }
    }
    html.newLine()
  }

  private func writeHead(_ title: String) {
    html.element("head") {
      html.element("meta", ["charset": "utf-8"])
      html.element("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
      html.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      html.element("meta", ["name": "color-scheme", "content": "light dark"])
      html.element("meta", ["name": "referrer", "content": "no-referrer"])
      html.element("meta", ["name": "robots", "content": "noindex"])
      html.newLine()
      html.element("title", text: title)
      html.newLine()
      html.embed("style", style)
    }
  }

  /// Writes a section with its heading and a sentence about its contents.
  func section(_ id: String, _ title: String, _ lead: String, _ content: () -> Void) {
    html.element("section", ["id": id, "aria-labelledby": id + "-title"]) {
      html.element("h2", ["id": id + "-title"], text: title)
      html.element("p", ["class": "lead"], sentence: lead)
      content()
    }
    html.newLine()
  }

  /// Writes a bar of colours, one for each outcome; `label` says what it shows.
  func bar(_ widths: [(class: String, width: Int)], label: String) {
    html.element(
      "svg",
      [
        "class": "bar", "viewBox": "0 0 \(Share.barWidth) 100", "preserveAspectRatio": "none", "role": "img",
        "aria-label": label,
      ]
    ) {
      var start = 0
      for part in widths where part.width > 0 {
        html.element(
          "rect", ["class": part.class, "x": "\(start)", "y": "0", "width": "\(part.width)", "height": "100"])
        start += part.width
      }
    }
  }

  /// `1 record`, `2 records`, for a sentence.
  static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
}
