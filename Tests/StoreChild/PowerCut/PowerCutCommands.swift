import Foundation

/// Runs a command of the tests of a power cut, and returns whether it was one.
func runPowerCutCommand(_ arguments: [String]) throws -> Bool {
    guard arguments.count > 1, arguments[0] == "power-cut" else { return false }
    let arguments = arguments.dropFirst(2).prefix(7)
    guard let plan = PowerCutPlan(arguments) else { return false }
    switch CommandLine.arguments[2] {
    case "record": try recordWrites(plan)
    case "observe": try recordObserving(plan)
    case "images":
        guard CommandLine.arguments.count == 12, let images = Int(CommandLine.arguments[10]) else {
            return false
        }
        let scratch = URL(fileURLWithPath: CommandLine.arguments[11])
        var cuts = CutPower(plan, scratch: scratch)
        try cuts.run(images: images)
    default: return false
    }
    return true
}
