import CCurl
import Dispatch
import Synchronization

/// Why a host was not found, or did not answer.
struct NetworkFailure: Error {
  let reason: String
}

/// Sends requests by HTTP, many at once. libcurl does that on one thread, and keeps connections for later requests to
/// the same host and address.
final class Transfers: Sendable {
  private struct Inbox {
    var waiting: [Transfer] = []
    var isClosed = false
  }

  /// Must happen once in a process, before anything else of libcurl is called.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  private let inbox = Mutex(Inbox())
  private let thread = DispatchQueue(label: "transfers")
  /// Only the thread uses it, except for waking the thread.
  private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  init() {
    precondition(Self.isReady, "libcurl cannot be used")
    multi = curl_multi_init()!
    thread.async { [self] in run() }
  }

  /// The status that answers a request, or why there is no answer.
  func status(for request: Request) async -> Result<Int, NetworkFailure> {
    await withCheckedContinuation { finished in
      change { $0.waiting.append(Transfer(request, finished: finished)) }
    }
  }

  /// Closes all connections, and waits until they are closed. Call it once, after the last request.
  func close() async {
    change { $0.isClosed = true }
    await withCheckedContinuation { ended in thread.async { ended.resume() } }
  }

  private func change(_ body: (inout Inbox) -> Void) {
    inbox.withLock { inbox in
      body(&inbox)
      curl_multi_wakeup(multi)
    }
  }

  private func run() {
    var active: [UnsafeMutableRawPointer: Transfer] = [:]
    while true {
      let inbox = inbox.withLock { inbox in
        defer { inbox.waiting = [] }
        return inbox
      }
      if inbox.isClosed { break }
      for transfer in inbox.waiting {
        active[transfer.handle] = transfer
        let code = curl_multi_add_handle(multi, transfer.handle)
        precondition(code == CURLM_OK, "libcurl does not take a request")
      }
      var count: CInt = 0
      curl_multi_perform(multi, &count)
      while let message = curl_multi_info_read(multi, &count)?.pointee {
        let transfer = active.removeValue(forKey: message.easy_handle)!
        curl_multi_remove_handle(multi, transfer.handle)
        transfer.finish(message.data.result)
      }
      // Ends when a socket or a timer of libcurl is due, or something is in the inbox.
      curl_multi_poll(multi, nil, 0, 60_000, nil)
    }
    curl_multi_cleanup(multi)
  }
}
