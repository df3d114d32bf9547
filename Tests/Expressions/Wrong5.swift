// swift-format-ignore-file
import DBClientCore
import Foundation

// A condition of seven terms, some of them wrong: the compiler says so at once.
func wrong(_ text: String) {
    _ = Item.where { $0.title == text && $0.rank > 3 && $0.weight < 10 && $0.isOpen && $0.price.amount >= 2 && $0.score != nil && $0.subtitle.count > "3" }
}
