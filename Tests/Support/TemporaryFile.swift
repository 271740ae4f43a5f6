import Foundation

/// A file that is gone when the test is.
package final class TemporaryFile {
  package let path: String
  private let folder: TemporaryFolder

  package init(_ bytes: [UInt8]) throws {
    folder = try TemporaryFolder()
    path = folder.file("file")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Puts other contents into the same file.
  package func replace(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: [])
  }

  package convenience init(_ text: String) throws {
    try self.init(Array(text.utf8))
  }

  package static func bytes(at path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  package static func write(_ bytes: [UInt8], at path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}
