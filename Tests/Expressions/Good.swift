// swift-format-ignore-file
import DBClientCore
import Foundation

// What has to be type-checked at once.

func report(_ client: any DBClient, _ tenant: Int) async throws -> [ReportRow] {
    try await client.fetch(Line.where { $0.tenant == tenant }.grouped { ($0.product.id, $0.product.name) }.select(.sum(\.quantity), .sum(\.amount))).map { ReportRow(product: $0.key.1 ?? "-", quantity: $0.values.0, amount: $0.values.1) }.sorted { $0.amount > $1.amount }.prefix(10).map(\.self)
}

func windows(_ client: any DBClient) async throws {
    let groups = Line.all.grouped { ($0.tenant, $0.product.id) }.sorted { $0.sum(\.amount).descending }.limit(10)
    _ = try await client.fetch(groups.select { ($0.sum(\.amount), $0.window().share(of: $0.sum(\.amount)), $0.window(by: $0.key(0)).rank) })
    let ranks = groups.select { group in
        let sold = group.sum { $0.quantity * 2 }
        let tenant = group.window(by: group.key(0)).sorted(by: sold.descending, group.key(1))
        return (sold, group.count, tenant.rank, tenant.sum(sold), tenant.lag(sold), tenant.share(of: sold), group.window().average(sold))
    }
    _ = try await client.fetch(ranks).map(\.values.3)
}

func conditions(_ number: Int, _ text: String) {
    _ = Item.where { $0.title == text && $0.rank > 3 && $0.weight < 10 && $0.isOpen && $0.price.amount >= 2 && $0.score != nil && $0.subtitle == "x" }
    _ = Item.where { ($0.title == text || $0.title == "b") && ($0.rank > 3 || $0.rank < -4) && !($0.weight < 10.5 || $0.weight > 40) && $0.at > Date(timeIntervalSinceNow: -86_400 * 7) }
    _ = Item.where { $0.title.hasPrefix("a") && $0.price.amount > 1.5 && $0.formerPrice.amount < 3 && $0.company.name == "x" && $0.owner.name != "y" && $0.isNew == true && $0.score > number + 2 * 3 }
    _ = Item.where { [1, 2, 3].contains($0.rank) && $0.title.contains("x") && ["a", "b"].contains($0.title) && (1...3).contains($0.rank) }
    _ = Item.where { Condition.constant(false) || $0.id == 3 && !$0.isOpen }
}

func optionals(_ text: String?, _ number: Int?, _ date: Date?, _ meta: Meta, _ former: Meta?) {
    _ = Item.where { $0.title == text && $0.subtitle != text && $0.rank > number && $0.at < date }
    _ = Item.where { ($0.subtitle ?? "") == "x" && ($0.score ?? 0) > 1 && ($0.score ?? 1).isIn([1, 2]) }
    _ = Item.where { text == nil || $0.title == text! }
    _ = Item.where { $0.title == "x" && (number == nil || $0.rank == number!) }
    _ = Item.where { _ in true }
    _ = Item.all.filter { _ in false }
    _ = Item.where { $0.meta == meta && $0.formerMeta != former && $0.formerMeta != nil && $0.metas.contains(Meta(x: 1)) }
    _ = Item.where { $0.price == Price(amount: 1, cents: nil) && $0.took == .seconds(3) }
}

func paths(_ client: any DBClient, _ isAscending: Bool, _ company: Reference<Company>) async throws {
    _ = try await client.fetch(Item.all.select(\.title, \.company?.name, \.formerPrice?.amount, \.owner))
    _ = try await client.fetch(Item.all.grouped(by: \.company?.name, \.owner).select(.count, .sum(\.rank)))
    _ = try await client.distinct(\.owner?.key, of: Item.all)
    _ = try await client.sum(\.formerPrice?.cents, of: Item.where { $0.owner.isIn([company]) || $0.tags.count > 2 })
    _ = Item.all.sorted { isAscending ? $0.title : $0.title.descending }
    _ = Item.all.sorted { [isAscending ? $0.title : $0.title.descending, $0.rank.descending] }
    _ = Item.all.sorted { $0.title.sorted(isAscending ? .forward : .reverse) }
    _ = Item.where { $0.tags.count > 2 && $0.marks.count == 0 && $0.words.count < 3 && $0.metas.count != 1 }
    _ = Item.all.filter { [company].contains($0.owner) && !$0.metas.isEmpty }
    _ = try await client.find(Membership.self, key: .init(company: company, item: Reference(1)))
    _ = try await client.fetch(Membership.where { $0.company == company && $0.item.rank > 3 })
}

// A hundred values that are computed.
func computed(_ client: any DBClient, _ number: Int, _ text: String) async throws {
    _ = Item.where { $0.rank * 2 > 10 }
    _ = Item.where { $0.rank * $0.rank + 3 * $0.rank - 7 > 10 && $0.weight * 2 < 30.5 }
    _ = Item.where { $0.rank + 1 > 3 && $0.title == text && $0.weight < 10 && $0.isOpen && $0.price.amount >= 2 && $0.score != nil && $0.subtitle == "x" }
    _ = Item.where { $0.title.lowercased() == "abc" || $0.title.count > 3 }
    _ = Item.where { $0.title + " " + $0.title != "x x" }
    _ = Item.where { ($0.title + " (" + $0.title + ")").lowercased() == text.lowercased() }
    _ = Item.where { ($0.score ?? 0) * 2 + $0.rank >= number * 2 }
    _ = Item.where { ($0.rank > 3).then($0.rank, else: 0) + 1 == 4 }
    _ = Item.where { min($0.rank, $0.rank * 2) < max($0.rank, 3) }
    _ = Item.where { min($0.rank, $0.rank * 2, $0.id) < max($0.rank, $0.id + 1, $0.rank, $0.rank - 4) }
    _ = Item.all.sorted { [$0.tags.count.descending, ($0.words.count + $0.marks.count) * 2, $0.metas.count] }
    _ = Item.where { $0.rank.converted(to: Double.self) / $0.weight > 0.5 }
    _ = Item.where { $0.score * 2 == nil }
    _ = Item.where { $0.score * $0.rank > 3 && $0.rank * $0.score > 3 && ($0.subtitle ?? $0.title).count < 4 }
    _ = Item.where { $0.weight * (1 - $0.weight) * (1 + $0.weight) > 100.0 && $0.rank % 2 == 0 }
    _ = Item.where { -$0.rank < -3 && ($0.rank - $0.rank).magnitude < 4 && ($0.rank + $0.rank) / 2 == $0.rank }
    _ = Item.where { $0.at.year == 2024 && $0.at.month > 6 && $0.until.year != 2023 }
    _ = Item.where { $0.at.startOfMonth == $0.until ?? Date() || $0.at.weekday > 5 && $0.at.hour < 12 }
    _ = Item.where { $0.price.amount * 1.2 > 100 && $0.price.amount * $0.weight < 1000 && !($0.rank * 3 == 9) }
    _ = Item.where { ($0.isOpen == true && $0.rank > 2).then("open", else: "closed") == text }
    _ = Item.where { $0.company.id * 2 > number && $0.rank * 2 > number }
    _ = Item.where { ($0.formerPrice.amount ?? 0) * 2 > $0.price.amount * 1.5 }
    _ = Item.all.filter { $0.isOpen && ($0.rank * 2 > 10) }
    _ = Item.all.filter { $0.isOpen && ($0.rank * $0.rank + 3 * $0.rank - 7 > 10 && $0.weight * 2 < 30.5) }
    _ = Item.all.filter { $0.isOpen && ($0.rank + 1 > 3 && $0.title == text && $0.weight < 10 && $0.isOpen && $0.price.amount >= 2 && $0.score != nil && $0.subtitle == "x") }
    _ = Item.all.filter { $0.isOpen && ($0.title.lowercased() == "abc" || $0.title.count > 3) }
    _ = Item.all.filter { $0.isOpen && ($0.title + " " + $0.title != "x x") }
    _ = Item.all.filter { $0.isOpen && (($0.title + " (" + $0.title + ")").lowercased() == text.lowercased()) }
    _ = Item.all.filter { $0.isOpen && (($0.score ?? 0) * 2 + $0.rank >= number * 2) }
    _ = Item.all.filter { $0.isOpen && (($0.rank > 3).then($0.rank, else: 0) + 1 == 4) }
    _ = Item.all.filter { $0.isOpen && (min($0.rank, $0.rank * 2) < max($0.rank, 3)) }
    _ = Item.all.filter { $0.isOpen && ($0.rank.converted(to: Double.self) / $0.weight > 0.5) }
    _ = Item.all.filter { $0.isOpen && ($0.score * 2 == nil) }
    _ = Item.all.filter { $0.isOpen && ($0.score * $0.rank > 3 && $0.rank * $0.score > 3 && ($0.subtitle ?? $0.title).count < 4) }
    _ = Item.all.filter { $0.isOpen && ($0.weight * (1 - $0.weight) * (1 + $0.weight) > 100.0 && $0.rank % 2 == 0) }
    _ = Item.all.filter { $0.isOpen && (-$0.rank < -3 && ($0.rank - $0.rank).magnitude < 4 && ($0.rank + $0.rank) / 2 == $0.rank) }
    _ = Item.all.filter { $0.isOpen && ($0.at.year == 2024 && $0.at.month > 6 && $0.until.year != 2023) }
    _ = Item.all.filter { $0.isOpen && ($0.at.startOfMonth == $0.until ?? Date() || $0.at.weekday > 5 && $0.at.hour < 12) }
    _ = Item.all.filter { $0.isOpen && ($0.price.amount * 1.2 > 100 && $0.price.amount * $0.weight < 1000 && !($0.rank * 3 == 9)) }
    _ = Item.all.filter { $0.isOpen && (($0.isOpen == true && $0.rank > 2).then("open", else: "closed") == text) }
    _ = Item.all.filter { $0.isOpen && ($0.company.id * 2 > number && $0.rank * 2 > number) }
    _ = Item.all.filter { $0.isOpen && (($0.formerPrice.amount ?? 0) * 2 > $0.price.amount * 1.5) }
    _ = Item.all.sorted { $0.rank * 2 }
    _ = Item.all.sorted { ($0.rank * $0.rank - 3).descending }
    _ = Item.all.sorted { $0.title.lowercased() }
    _ = Item.all.sorted { ($0.title + $0.title).caseInsensitive }
    _ = Item.all.sorted { $0.at.year }
    _ = Item.all.sorted { $0.score ?? $0.rank }
    _ = Item.all.sorted { max($0.rank, $0.rank * 2) }
    _ = Item.all.sorted { ($0.rank > 2).then("a", else: "b") }
    _ = Item.all.sorted { $0.weight * 2 - $0.price.amount }
    _ = Item.all.sorted { $0.until.month }
    _ = Item.all.sorted { [$0.title.lowercased(), $0.rank] }
    _ = Item.all.sorted { [$0.at.year.descending, $0.at.month, $0.weight * 2] }
    _ = try await client.fetch(Item.all.select { $0.rank * 2 })
    _ = try await client.fetch(Item.all.select { ($0.id, $0.rank * $0.rank, $0.title + "!") })
    _ = try await client.fetch(Item.all.select { ($0.title, $0.at.year, $0.weight * 2) })
    _ = try await client.fetch(Item.all.select { ($0.score * 2, ($0.score ?? 0) * 3) })
    _ = try await client.fetch(Item.all.select { (($0.rank > 3).then("many", else: "few"), $0.rank) })
    _ = try await client.fetch(Item.all.select { $0.rank * 2 })
    _ = try await client.fetch(Item.all.select { ($0.id, $0.rank * $0.rank, $0.title + "!") })
    _ = try await client.fetch(Item.all.select { ($0.title, $0.at.year, $0.weight * 2) })
    _ = try await client.fetch(Item.all.select { ($0.score * 2, ($0.score ?? 0) * 3) })
    _ = try await client.fetch(Item.all.select { (($0.rank > 3).then("many", else: "few"), $0.rank) })
    _ = try await client.fetch(Item.all.select { $0.rank * 2 })
    _ = try await client.fetch(Item.all.select { ($0.id, $0.rank * $0.rank, $0.title + "!") })
    _ = try await client.fetch(Item.all.select { ($0.title, $0.at.year, $0.weight * 2) })
    _ = try await client.fetch(Item.all.select { ($0.score * 2, ($0.score ?? 0) * 3) })
    _ = try await client.fetch(Item.all.select { (($0.rank > 3).then("many", else: "few"), $0.rank) })
    _ = Item.all.grouped { $0.rank % 10 }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { ($0.at.year, $0.at.month) }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { $0.title.lowercased() }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { ($0.title.count, $0.rank / 100) }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { $0.rank % 10 }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { ($0.at.year, $0.at.month) }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { $0.title.lowercased() }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { ($0.title.count, $0.rank / 100) }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { $0.rank % 10 }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { ($0.at.year, $0.at.month) }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { $0.title.lowercased() }.select(.count, .sum { $0.rank * 2 })
    _ = Item.all.grouped { ($0.title.count, $0.rank / 100) }.select(.count, .sum { $0.rank * 2 })
    let _: Int = try await client.sum(of: Item.all) { $0.rank * 2 }
    let _: Int = try await client.sum(of: Item.all) { $0.score * 3 }
    let _: Int = try await client.sum(of: Item.all) { $0.rank * $0.rank + 1 }
    let _: Int = try await client.sum(of: Item.all) { $0.rank * 2 }
    let _: Int = try await client.sum(of: Item.all) { $0.score * 3 }
    let _: Int = try await client.sum(of: Item.all) { $0.rank * $0.rank + 1 }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.rank) { $0.rank * 2 - 1 } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.title) { $0.title + "!" } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.score) { $0.rank + 1 }; $0.set(\.weight) { $0.weight * 1.1 } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.subtitle) { $0.title.uppercased() } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.at) { $0.at.startOfDay } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.rank) { $0.rank * 2 - 1 } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.title) { $0.title + "!" } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.score) { $0.rank + 1 }; $0.set(\.weight) { $0.weight * 1.1 } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.subtitle) { $0.title.uppercased() } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.at) { $0.at.startOfDay } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.rank) { $0.rank * 2 - 1 } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.title) { $0.title + "!" } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.score) { $0.rank + 1 }; $0.set(\.weight) { $0.weight * 1.1 } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.subtitle) { $0.title.uppercased() } }
    try await client.update(Item.where { $0.rank * 2 > 4 }) { $0.set(\.at) { $0.at.startOfDay } }
}

// What is typed by habit.
func habits(_ client: any DBClient, _ ware: Ware, _ wares: [Ware], _ seller: Company?, _ number: Int) async throws {
    try await client.update(Ware.all) { $0.set(\.stock, to: \.stock - \.reserved) }
    try await client.update(Ware.all) { $0.set(\.stock, to: $0.stock - $0.reserved) }
    try await client.update(Ware.all) { $0.set(\.stock, to: { $0.stock - $0.reserved }) }
    try await client.update(Ware.self, key: 1) { $0.set(\.stock, to: \.stock + 1); $0.set(\.reserved, to: 0) }
    try await client.update(Ware.all) { $0.set(\.stock, to: \.stock * 2 - \.reserved - 1) }
    try await client.update(Ware.all) { $0.set(\.stock, to: (\.stock - \.reserved) * (\.stock + \.reserved)) }
    try await client.update(Ware.all) { $0.set(\.stock, to: 100 - \.stock - \.reserved) }
    try await client.update(Ware.all) { $0.set(\.price, to: \.price * 1.1) }
    try await client.update(Ware.all) { $0.set(\.price, to: $0.price * 1.1 + 2) }
    try await client.update(Ware.all) { $0.set(\.name, to: \.name + "!") }
    try await client.update(Ware.all) { $0.set(\.stock, to: \.reserved) }
    try await client.update(Ware.all) { $0.set(\.stock, to: max($0.stock - 1, 0)) }
    try await client.update(Item.all) { $0.set(\.score, to: \.rank + 1) }
    try await client.update(Item.all) { $0.set(\.score, to: \.score + 1) }
    _ = Ware.where { min($0.stock, 25, $0.reserved) > 3 }
    _ = Ware.where { max($0.stock, $0.reserved, 25) > min(25, $0.stock) }
    _ = Ware.where { min(25, $0.stock, $0.reserved) + max($0.stock, 1) > number }
    _ = Ware.all.select { (min($0.price, 25, $0.price * 2), max(1, $0.stock)) }
    _ = Item.where { min($0.score, 3) > 1 && max($0.score, $0.rank) != nil }
    _ = Sale.where { $0.ware == ware }
    _ = Sale.where { $0.ware != ware && $0.quantity > 3 && $0.note != nil && $0.amount < 10.5 }
    _ = Sale.where { $0.seller == seller || $0.seller == nil }
    _ = Sale.where { $0.ware.isIn(wares) && $0.seller != seller }
    _ = Sale.where { wares.contains($0.ware) && !$0.ware.isIn([ware]) }
    _ = Sale.join(Ware.self) { $0.ware == $1.id }
    _ = Sale.join(Ware.self) { $1.id == $0.ware }
    _ = Sale.leftJoin(Ware.self) { $0.ware == $1.id }
    _ = Sale.leftJoin(Ware.self) { $1.id == $0.ware }
    _ = Ware.leftJoin(Sale.self) { $0.id == $1.ware }
    _ = Company.leftJoin(Sale.self) { $1.seller == $0.id }
    _ = Sale.leftJoin(Company.self) { $0.seller == $1.id }
    _ = Sale.leftJoin(Company.self) { $0.buyer == $1.id && $0.quantity > 3 }
    _ = Company.leftJoin(Sale.self) { $0.id == $1.buyer }
    _ = Kind.leftJoin(Kind.self) { $0.parent == $1.id }.leftJoin(Kind.self) { $1.parent == $2.id }
    let lines = Sale.join(Ware.self) { $0.ware == $1.id }.leftJoin(Kind.self) { $1.kind == $2.id }
    _ = lines.where { sale, ware, kind in sale.quantity > 3 && ware.stock - ware.reserved > 0 && kind.name == "x" }
    _ = lines.sorted { sale, ware, kind in [kind.name, (ware.price * 2).descending] }.limit(10).offset(5)
    _ = lines.select { sale, ware, kind in (sale.id, ware.name, kind.name) }.limit(10).offset(5)
    _ = lines.select { sale, ware, kind in kind.name }.distinct().limit(10)
    _ = lines.grouped { sale, ware, kind in (sale.day.year, kind.name) }.select(.count, .sum { sale, ware, kind in sale.quantity * ware.stock }).limit(10)
    _ = Ware.all.select(\.id, \.name).limit(10).offset(5)
    _ = Ware.all.select { ($0.name, $0.price * 2) }.distinct().limit(3)
    _ = Ware.where { $0.id.isIn(Sale.where { $0.quantity > 3 }.select(\.ware)) }
    _ = Company.where { $0.id.isIn(Sale.all.select(\.seller)) && !$0.id.isIn(Sale.all.select(\.seller)) }
    _ = Sale.where { $0.ware.isIn(Ware.where { $0.stock > 3 }.select(\.id)) }
    _ = Kind.where { $0.id.isIn(Ware.all.select(\.kind).distinct()) }
    _ = Ware.where { ware in Sale.where { $0.quantity > 3 }.exists { $0.ware == ware.id } }
    _ = Ware.where { ware in !Sale.all.exists { ware.id == $0.ware } }
    _ = Company.where { company in Sale.all.exists { $0.buyer == company.id } }
    _ = Ware.where { ware in Sale.all.count { ware.id == $0.ware } > 3 }
    _ = Ware.where { $0.info.city == "x" && $0.info.rating > 3.5 && $0.info.tags[0] == "y" && $0.info.sizes["z"] > 3 }
    _ = Ware.where { $0.name.lowercased().isIn(["a", "b"]) && ($0.stock - $0.reserved).isBetween(1...3) }
    _ = Sale.where { [2023, 2024].contains($0.day.year) && (1...3).contains($0.quantity * 2) && ($0.note ?? "").isEmpty }
    _ = Ware.where { $0.info.tags.count > 3 && $0.info.city.isIn(["x", "y"]) && $0.info.sizes.count == 0 }
}
