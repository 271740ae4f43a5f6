#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What the system said no to.
package struct SocketFailure: Error, CustomStringConvertible {
  let call: String
  let number: Int32

  package var description: String { "\(call): \(String(cString: strerror(number)))" }
}

/// A stream of bytes to or from 127.0.0.1; nothing else can be reached with it.
final class Socket: Sendable {
  let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Waits for connections at a port of this machine; 0 is any that is free.
  static func listening(at port: UInt16) throws(SocketFailure) -> Socket {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw SocketFailure(call: "socket", number: errno) }
    let made = Socket(descriptor)
    made.set(SOL_SOCKET, SO_REUSEADDR)
    // A child of this process must not keep the port.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = loopback(port)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard bound == 0 else { throw SocketFailure(call: "bind", number: errno) }
    guard listen(descriptor, 64) == 0 else { throw SocketFailure(call: "listen", number: errno) }
    return made
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  /// The port that it has.
  var port: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The next connection; nothing when the socket was shut.
  func accepted() -> Socket? {
    while true {
      let descriptor = accept(self.descriptor, nil, nil)
      if descriptor >= 0 {
        let connection = Socket(descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        connection.set(Int32(IPPROTO_TCP), TCP_NODELAY)
        #if canImport(Darwin)
          connection.set(SOL_SOCKET, SO_NOSIGPIPE)
        #endif
        return connection
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  private func set(_ level: Int32, _ option: Int32) {
    var on: Int32 = 1
    setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// What has come; empty when nothing more will.
  func read() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
      var count = -1
      repeat {
        count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      } while count < 0
        && errno == EINTR
      filled = max(count, 0)
    }
  }

  /// Whether all of it could be handed over.
  @discardableResult
  func write(_ bytes: some Collection<UInt8>) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    let bytes = Array(bytes)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written, flags)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// Ends it in both directions, so that whoever waits for it goes on.
  func shut() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
