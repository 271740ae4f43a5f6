#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

enum Processors {
  /// How many there are; at least one.
  static let count = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
