#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension StoredProperty {
    /// Reports markers that contradict each other and storage that could not be read back.
    func check(diagnostics: inout [Diagnostic]) {
        checkMarkers(diagnostics: &diagnostics)
        if isInverse {
            checkInverse(diagnostics: &diagnostics)
        } else if isTransient {
            if initialValue == nil && !isOptional {
                diagnostics.report(.transientWithoutDefault(bareName), at: binding.pattern)
            }
        } else if isLazy {
            diagnostics.report(
                .lazyProperty(bareName),
                at: binding.pattern,
                fixIts: [.markTransient(declaration)]
            )
        } else if isConstant && initialValue != nil {
            let canBeTransient = !Marker.allCases.contains(where: markers.contains)
            var fixIts = [FixIt.makeVariable(declaration)]
            if canBeTransient { fixIts.append(.markTransient(declaration)) }
            diagnostics.report(
                .constantWithValue(bareName, canBeTransient: canBeTransient),
                at: binding.pattern,
                fixIts: fixIts
            )
        } else if hidesInitialValue {
            diagnostics.report(.hiddenInitialValue(bareName), at: binding.pattern)
        }
    }

    private func checkMarkers(diagnostics: inout [Diagnostic]) {
        for (marker, attribute) in markers.conditional {
            diagnostics.report(.conditionalMarker(marker, bareName), at: attribute)
        }
        for (marker, attribute) in markers.repeated {
            diagnostics.report(
                .repeatedMarker(marker, bareName),
                at: attribute,
                fixIts: [.remove(attribute)]
            )
        }
        for exclusive in [Marker.transient, .inverse] {
            guard let first = markers[exclusive] else { continue }
            for marker in Marker.allCases where marker != exclusive {
                guard let attribute = markers[marker] else { continue }
                diagnostics.report(
                    .exclusiveMarkers(marker, exclusive, bareName),
                    at: attribute,
                    fixIts: [attribute, first].map { .remove($0) }
                )
            }
            return
        }
        if let indexed = markers[.indexed], markers.contains(.unique) {
            diagnostics.report(
                .indexedUnique(bareName),
                at: indexed,
                fixIts: [.remove(indexed)]
            )
        }
        checkTypeOfMarked(diagnostics: &diagnostics)
        if let type, type.isOptionalOfOptional {
            diagnostics.report(
                .optionalOfOptional(bareName, type.trimmedDescription),
                at: binding.pattern
            )
        }
    }

    /// Reports what cannot be set to the values that lead to one.
    private func checkInverse(diagnostics: inout [Diagnostic]) {
        if isConstant || isLazy {
            diagnostics.report(
                .constantInverse(bareName),
                at: binding.pattern,
                fixIts: isConstant ? [.makeVariable(declaration)] : []
            )
        }
        guard let type else {
            diagnostics.report(.inverseOfOther(bareName, nil), at: binding.pattern)
            return
        }
        if type.holdsPlainValues || ![.list, .set].contains(type.collection)
            || type.isOptionalOfOptional
        {
            diagnostics.report(
                .inverseOfOther(bareName, type.trimmedDescription),
                at: binding.pattern
            )
        }
    }

    /// Reports markers that the type of the property does not go with.
    private func checkTypeOfMarked(diagnostics: inout [Diagnostic]) {
        // Of a key it is the type that is wrong, which is reported with the key.
        if let collection, !markers.contains(.primaryKey) {
            for marker in [Marker.indexed, .unique] {
                guard let attribute = markers[marker] else { continue }
                diagnostics.report(
                    .indexedCollection(marker, bareName, collection),
                    at: attribute,
                    fixIts: [.remove(attribute)]
                )
            }
        }
        if let relationship = markers[.relationship], let type, type.holdsPlainValues {
            diagnostics.report(
                .relationshipOfValues(bareName, type.trimmedDescription),
                at: relationship,
                fixIts: [.remove(relationship)]
            )
        }
    }
}
#endif
