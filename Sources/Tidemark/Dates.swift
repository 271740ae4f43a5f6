public import Foundation
public import TidemarkEntries

extension Date {
  /// A time of the device, to be shown: *saved at 14:03*.
  public init(_ time: DeviceTime) {
    self.init(timeIntervalSince1970: Double(time.milliseconds) / 1000)
  }
}
