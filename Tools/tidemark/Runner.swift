/// Gives a verb its output, and turns what it throws into an exit code.
enum Runner {
  static func run(_ command: any Command.Type, _ input: Input) throws(Failure) -> ExitCode {
    var output = try output(of: command, input)
    do {
      let code = try command.init().run(input, to: &output)
      try output.finish()
      return ExitCode.lowestLayer(of: [code, output.exit])
    } catch is ReaderLeft {
      output.abandon()
      return .done
    } catch {
      output.abandon()
      var failure = Failure(mapping: error)
      if let done = output.accomplished { failure.message += "; \(done)" }
      throw failure
    }
  }

  /// Shows a page of the tool itself.
  static func show(
    _ page: [Line],
    color: String?,
    in environment: Environment
  ) throws(Failure) -> ExitCode {
    var output = Output(
      .text,
      to: nil,
      of: .aids,
      colored: isColored(Output.standardOutput, color, environment: environment),
      messages: messages(color: color, environment: environment)
    )
    do {
      for line in page { try output.line(line) }
      try output.finish()
      return .done
    } catch is ReaderLeft {
      return .done
    } catch {
      throw Failure(mapping: error)
    }
  }

  /// Says why the command line `words` failed.
  static func report(_ failure: Failure, of words: [String], in environment: Environment) {
    var messages = messages(
      json: Arguments.wantJSON(words),
      color: Arguments.color(words),
      environment: environment
    )
    messages.fail(failure)
  }

  private static func output(
    of command: any Command.Type,
    _ input: Input
  ) throws(Failure) -> Output {
    let when = input.value("--color")
    let format = input.format
    let file: OutputFile? = if let path = input.outPath { try OutputFile(path) } else { nil }
    return Output(
      format,
      to: file,
      of: command.group,
      colored: isColored(
        file?.descriptor ?? Output.standardOutput,
        when,
        environment: input.environment
      ),
      width: file == nil ? width(of: Output.standardOutput, input.environment) : nil,
      messages: Messages(
        quiet: input.has("--quiet"),
        progress: !input.has("--no-progress"),
        colored: isColored(Messages.standardError, when, environment: input.environment),
        json: format.isJSON
      )
    )
  }

  private static func messages(
    json: Bool = false,
    color: String?,
    environment: Environment
  ) -> Messages {
    Messages(
      colored: isColored(Messages.standardError, color, environment: environment),
      json: json
    )
  }

  /// How many places a line has: those of the terminal, else what `$COLUMNS` says, else 80.
  ///
  /// Nothing if `descriptor` is no terminal: what is read by a program is never cut.
  static func width(of descriptor: Int32, _ environment: Environment) -> Int? {
    guard System.isTerminal(descriptor) else { return nil }
    return System.columns(of: descriptor) ?? environment.columns ?? 80
  }

  static func isColored(
    _ descriptor: Int32,
    _ when: String? = nil,
    environment: Environment
  ) -> Bool {
    switch when {
    case "always": true
    case "never": false
    default: !environment.refusesColor && System.isTerminal(descriptor)
    }
  }
}
