import Foundation

/// Programs of others that tests ask for a second opinion.
package enum OutsideTool {
  /// A Python that can import cbor2; `Tools/test` makes it.
  package static let python = ProcessInfo.processInfo.environment["TIDEMARK_PYTHON"]

  /// Whether a test that needs the Python runs: it is there, or this is CI, where its lack is red.
  ///
  /// Such a test is `@Test(.enabled(if: OutsideTool.isPythonThereOrDue, "…"))` and begins with
  /// `try #require(OutsideTool.python)`.
  package static let isPythonThereOrDue =
    python != nil || ProcessInfo.processInfo.environment["CI"] != nil
}
