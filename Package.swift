// swift-tools-version: 6.2
import PackageDescription

// The map of Tidemark. The targets stand in the order in which the data flows; a line below names
// what a target may import, and `Tests/TidyTests` holds the same table.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func library(
  _ name: String,
  _ path: String,
  _ dependencies: [Target.Dependency] = [],
  resources: [Resource]? = nil,
  exclude: [String] = []
) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: path,
    exclude: exclude,
    resources: resources,
    swiftSettings: strict
  )
}

func tool(_ name: String, _ path: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(
  _ name: String,
  _ dependencies: [Target.Dependency],
  resources: [Resource]? = nil,
  exclude: [String] = []
) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies + ["TestSupport"],
    exclude: exclude,
    resources: resources,
    swiftSettings: strict
  )
}

let systemLibraries: [Target] = [
  .systemLibrary(name: "CTidemarkFiles", path: "Sources/CFiles"),
  .systemLibrary(
    name: "CTidemarkSQLite",
    path: "Sources/CSQLite",
    pkgConfig: "sqlite3",
    providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
  ),
  .systemLibrary(
    name: "CTidemarkZstd",
    path: "Sources/CZstd",
    pkgConfig: "libzstd",
    providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
  ),
  .systemLibrary(
    name: "CTidemarkOpenSSL",
    path: "Sources/COpenSSL",
    pkgConfig: "libcrypto",
    providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
  ),
  .systemLibrary(
    name: "CTidemarkZlib",
    path: "Sources/CZlib",
    pkgConfig: "zlib",
    providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
  ),
]

let libraries: [Target] = [
  library("TidemarkSQLite", "Sources/SQLite", ["CTidemarkSQLite"]),
  library("TidemarkCompression", "Sources/Compression", ["CTidemarkZstd"]),
  library("TidemarkInflate", "Sources/Inflate", ["CTidemarkZlib", "TidemarkCompression"]),
  library("TidemarkHashing", "Sources/Hashing", ["CTidemarkOpenSSL"]),
  library("TidemarkParallel", "Sources/Parallel"),
  library(
    "TidemarkJournalFormat",
    "Journal",
    resources: [.embedInCode("schema/journal.sql"), .embedInCode("kinds/kinds.json")],
    exclude: ["FORMAT.md", "CHANGES.md", "golden", "scenarios"]
  ),
  library("TidemarkEntries", "Sources/Entries"),
  library("TidemarkJSON", "Sources/JSON", ["TidemarkEntries"]),
  library(
    "TidemarkJournalStore",
    "Sources/JournalStore",
    [
      "CTidemarkFiles", "TidemarkEntries", "TidemarkJournalFormat", "TidemarkSQLite",
      "TidemarkCompression", "TidemarkHashing", "TidemarkParallel",
    ]
  ),
  library(
    "TidemarkProjections",
    "Sources/Projections",
    ["TidemarkEntries", "TidemarkJournalStore", "TidemarkSQLite", "TidemarkHashing"]
  ),
  library(
    "TidemarkReplay",
    "Sources/Replay",
    [
      "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkHashing",
    ]
  ),
  library(
    "TidemarkExports",
    "Sources/Exports",
    [
      "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkCompression", "TidemarkInflate", "TidemarkHashing", "TidemarkParallel",
    ]
  ),
  library(
    "TidemarkStores",
    "Sources/Stores",
    [
      "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkHashing",
    ]
  ),
  library(
    "TidemarkSimulation",
    "Sources/Simulation",
    [
      "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkReplay", "TidemarkStores", "TidemarkSQLite",
    ]
  ),
  library(
    "Tidemark",
    "Sources/Tidemark",
    ["TidemarkEntries", "TidemarkJournalStore", "TidemarkStores"]
  ),
  library("TidemarkLoopback", "Sources/Loopback"),
]

let tools: [Target] = [
  tool(
    "TidemarkTool",
    "Tools/tidemark",
    [
      "TidemarkJournalFormat", "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore",
      "TidemarkProjections", "TidemarkReplay", "TidemarkExports", "TidemarkHashing",
      "TidemarkSimulation",
    ]
  )
]

// An app on the command line that embeds the library, and the server that it speaks to.
let example = tool("TidemarkExample", "Tools/example", ["Tidemark", "TidemarkLoopback"])

// Measures what ships against peers; `Tools/benchmark` builds and runs it.
let bench: [Target] = [
  .target(
    name: "CTidemarkPeer",
    dependencies: ["CTidemarkSQLite", "CTidemarkZstd", "CTidemarkOpenSSL"],
    path: "Tools/bench/peer"
  ),
  .executableTarget(
    name: "TidemarkBench",
    dependencies: [
      "CTidemarkPeer", "TidemarkStores", "TidemarkEntries", "TidemarkJournalStore",
      "TidemarkProjections", "TidemarkReplay", "TidemarkExports", "TidemarkSQLite",
      "TidemarkCompression", "TidemarkHashing",
    ],
    path: "Tools/bench",
    exclude: ["peer"],
    swiftSettings: strict
  ),
  tool(
    "TidemarkGolden",
    "Tools/golden",
    ["TidemarkEntries", "TidemarkJournalStore", "TidemarkProjections", "TidemarkSQLite"]
  ),
]

let testTargets: [Target] = [
  .target(
    name: "TestSupport",
    dependencies: [
      "TidemarkEntries", "TidemarkJournalStore", "TidemarkProjections", "TidemarkSQLite",
      "TidemarkHashing",
    ],
    path: "Tests/Support",
    swiftSettings: strict
  ),
  tests("SQLiteTests", ["TidemarkSQLite"]),
  tests("CompressionTests", ["TidemarkCompression"]),
  tests("InflateTests", ["TidemarkInflate", "TidemarkCompression"]),
  tests("HashingTests", ["TidemarkHashing"]),
  tests("ParallelTests", ["TidemarkParallel"]),
  tests("EntriesTests", ["TidemarkEntries", "TidemarkJournalFormat"]),
  tests("JSONTests", ["TidemarkJSON", "TidemarkEntries"]),
  tests(
    "JournalStoreTests",
    ["TidemarkEntries", "TidemarkJournalStore", "TidemarkSQLite", "TidemarkHashing"]
  ),
  tests(
    "ProjectionsTests",
    ["TidemarkEntries", "TidemarkJournalStore", "TidemarkProjections", "TidemarkSQLite"]
  ),
  tests(
    "ReplayTests",
    [
      "TidemarkEntries", "TidemarkJournalStore", "TidemarkProjections", "TidemarkReplay",
      "TidemarkSQLite",
    ]
  ),
  tests(
    "ExportsTests",
    [
      "TidemarkExports", "TidemarkEntries", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkReplay", "TidemarkHashing", "TidemarkJSON", "TidemarkCompression",
    ],
    exclude: ["Captures"]
  ),
  tests(
    "StoresTests",
    [
      "TidemarkStores", "TidemarkEntries", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkReplay", "TidemarkSQLite", "TidemarkHashing",
    ]
  ),
  tests(
    "ScenarioTests",
    ["TidemarkSimulation", "TidemarkEntries", "TidemarkJSON"]
  ),
  tests(
    "TidemarkTests",
    ["Tidemark", "TidemarkJournalStore", "TidemarkReplay", "TidemarkLoopback"]
  ),
  tests(
    "ExampleTests",
    [
      "TidemarkExample", "TidemarkTool", "Tidemark", "TidemarkReplay", "TidemarkJournalStore",
      "TidemarkLoopback",
    ]
  ),
  tests(
    "TidemarkToolTests",
    [
      "TidemarkTool", "TidemarkEntries", "TidemarkJournalStore", "TidemarkReplay", "TidemarkJSON",
    ],
    resources: [.copy("scripts"), .copy("golden")]
  ),
  tests("GoldenTests", ["TidemarkEntries", "TidemarkTool"]),
  tests(
    "TidyTests",
    ["TidemarkEntries", "TidemarkJournalFormat", "TidemarkJournalStore", "TidemarkReplay"]
  ),
]

let package = Package(
  name: "tidemark",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Tidemark", targets: ["Tidemark"]),
    .executable(name: "tidemark", targets: ["TidemarkTool"]),
  ],
  targets: systemLibraries + libraries + tools + [example] + bench + testTargets
)
