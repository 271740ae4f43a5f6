import Foundation
import TidemarkLoopback

extension TidemarkExample {
  /// Serves notes until the process ends.
  static func serve(_ port: String) throws {
    let service = NotesService()
    let server = try LoopbackServer(port: UInt16(port) ?? 0) { request in
      say("\(request.method) \(request.target)  \(request.idempotencyKey ?? "")")
      return service.answer(request)
    }
    say(server.address)
    while true { Thread.sleep(forTimeInterval: 3600) }
  }
}
