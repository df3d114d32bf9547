// Checks that a reader finds what a page lists: swift script/ungrouped.swift <archive of documentation>
//
// The page of a type lists its members by kind where they are in no group of its Topics. That serves a reader while
// there are few. A page with more than fifteen of its own, or one that has groups, must have each member in one group.
// What a type inherits is left out: DocC puts that into pages of its own.

import Foundation

/// The part of a rendered page that tells what the page lists.
struct Page: Decodable {
    struct Metadata: Decodable {
        var title: String?
        var symbolKind: String?
    }

    struct Section: Decodable {
        var title: String?
        var generated: Bool?
        var identifiers: [String]
    }

    var metadata: Metadata
    var topicSections: [Section]?
}

let most = 15
let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? ".")
    .appendingPathComponent("data/documentation")
let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
var pages = 0
var grouped = 0
var faults: [String] = []

while let file = files?.nextObject() as? URL {
    guard file.pathExtension == "json" else { continue }
    let page = try JSONDecoder().decode(Page.self, from: Data(contentsOf: file))
    guard page.metadata.symbolKind != nil else { continue }
    pages += 1
    let sections = page.topicSections ?? []
    let groups = sections.filter { $0.generated != true }.flatMap(\.identifiers)
    let ungrouped = sections.filter {
        $0.generated == true && $0.title != "Default Implementations"
    }
    .flatMap(\.identifiers)
    grouped += groups.count
    let path = file.path.dropFirst(folder.path.count + 1).dropLast(".json".count)
    if !groups.isEmpty || ungrouped.count > most {
        faults += ungrouped.map { "\(path): no group has \($0.split(separator: "/").last ?? "")" }
    }
    let twice = Dictionary(grouping: groups, by: \.self).filter { $1.count > 1 }.keys
    faults += twice.map {
        "\(path): more than one group has \($0.split(separator: "/").last ?? "")"
    }
}

for fault in faults.sorted() { print(fault) }
print("\(pages) pages of symbols; \(grouped) links in groups, \(faults.count) faults.")
exit(pages == 0 || !faults.isEmpty ? 1 : 0)
