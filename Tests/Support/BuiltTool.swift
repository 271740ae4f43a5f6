import Foundation

/// The programs that the build put beside the tests.
package enum BuiltTool {
  package static var folder: String {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
    let tests = bundles.first?.bundleURL ?? Bundle.main.executableURL ?? Bundle.main.bundleURL
    return tests.deletingLastPathComponent().path
  }
}
