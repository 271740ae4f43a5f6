// An app imports `Tidemark` alone. The values that it meets (keys, paths, seqs, kinds, outcomes)
// are declared in lower modules, and with MemberImportVisibility it could neither name them nor
// read their members without this. The one file that may say it.
@_exported public import TidemarkEntries
@_exported public import TidemarkJournalStore
@_exported public import TidemarkStores
