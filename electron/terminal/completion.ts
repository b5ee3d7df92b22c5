import { exitCodes, plain, scanCodes } from './channel/refusal.ts'
import { type CommandLine, readCommandLine } from './commands/command-line.ts'
import {
  type CommandPath,
  commandNames,
  commandsOf,
  entryOf,
  help,
  type OptionEntry,
  type OptionName,
  optionNames,
  optionTable,
  type shells,
  topicNames,
} from './commands/table.ts'

const option = (name: OptionName): OptionEntry => optionTable[name]
const valued = optionNames.filter((name) => option(name).value !== null)
const offered = (path: CommandPath): readonly OptionName[] => [...entryOf(path).options, 'help']
const parents = commandNames.filter((name) => commandsOf(name).length > 0)
/** Command paths, most specific first: subcommands come before commands. */
const paths: readonly CommandPath[] = [...parents.flatMap(commandsOf), ...commandNames]
const flag = (name: string): string => `--${name}`
const spaced = (words: readonly string[] | undefined): string => (words ?? []).join(' ')
const lines = (texts: readonly string[]): string => texts.join('\n')

/**
 * The completion script for a shell. All words come from the command table, so the shell never suggests a word that `svc-desk` refuses.
 * Suggests no profile names: to read them, the script would have to start `svc-desk`, which may ask the user.
 */
export const completionScript = (shell: (typeof shells)[number]): string => ({ bash, zsh, fish })[shell]()

/**
 * Returns the shell code that completes an option's value. `ways` has the code for a file, a folder, a variable name and any other text; `among`
 * builds the code that offers a list of words.
 */
function completed(name: OptionName, ways: Readonly<Record<'file' | 'folder' | 'variable' | 'any', string>>, among: (words: string) => string): string {
  const { completes = 'any' } = option(name)
  return typeof completes === 'string' ? ways[completes] : among(spaced(completes))
}

/** The completion script for bash. Bash also splits words at `=`, so the script gets `--key=x` as three words. */
function bash(): string {
  const values = valued.map((name) => {
    const how = completed(name, { file: '-f', folder: '-d', variable: '-A export', any: '' }, (words) => `-W '${words}'`)
    return `    --${name}) ${how === '' ? '' : `COMPREPLY=($(compgen ${how} -- "$value")); `}return ;;`
  })
  const plain = commandNames.map((name) => `    ' ${name}'${parents.includes(name) ? `|' help ${name}'` : ''}) plain='${spaced(entryOf(name).words)}' ;;`)
  const files = paths.filter((path) => entryOf(path).takesFile === true).map((path) => `    ' ${path}') file=1 ;;`)
  const options = paths.map((path) => `    ' ${path} '*) options='${spaced(offered(path).map(flag))}${entryOf(path).runs === true ? ' --' : ''}' ;;`)
  return `_svc_desk() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" typed= value= option= options= plain= file= word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $option ]]; then
      [[ $word == = ]] || option=
    elif [[ $word == -- ]]; then
      if ((i + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi
      return
    elif [[ $word == --* ]]; then
      case $word in ${valued.map(flag).join('|')}) option=$word ;; esac
    else typed="$typed $word"
    fi
  done
  value=$cur
  [[ $value == = ]] && value=
  case $option in
${lines(values)}
  esac
  case $typed in
    '') options='--help --version'; plain='${spaced([...commandNames, 'help'])}' ;;
    ' help') plain='${spaced([...commandNames, ...topicNames])}' ;;
${lines([...plain, ...files])}
  esac
  case "$typed " in
${lines(options)}
  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$cur")); elif [[ -n $file ]]; then COMPREPLY=($(compgen -f -- "$cur")); else COMPREPLY=($(compgen -W "$plain" -- "$cur")); fi
}
complete -F _svc_desk svc-desk
`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function zsh(): string {
  const spec = (name: OptionName) => {
    const { value, about } = option(name)
    const how = completed(name, { file: '_files', folder: '_files -/', variable: '_parameters -g "*export*"', any: ' ' }, (words) => `(${words})`)
    return quoted(value === null ? `--${name}[${about}]` : `--${name}=[${about.replaceAll(':', '\\:')}]:${value}:${how}`)
  }
  const specs = (path: CommandPath) => offered(path).map(spec).join(' ')
  const described = (all: readonly CommandPath[], more: readonly string[] = []) =>
    quoted(`1: :((${[...all.map((path) => `${path.split(' ').at(-1)}:${entryOf(path).about.replaceAll(' ', '\\ ')}`), ...more].join(' ')}))`)
  const one = (path: CommandPath): string => {
    const { words, runs, takesFile } = entryOf(path)
    const first = takesFile === true ? " '1: :_files'" : words === undefined ? '' : ` '1: :(${spaced(words)})'`
    const commands = commandsOf(path)
    if (commands.length === 0) return `_arguments ${runs === true ? '-S ' : ''}${specs(path)}${runs === true ? " '*:: :_normal'" : first}`
    return `_arguments -C ${specs(path)} ${described(commands)} '*:: :->command'
      [[ $state == command ]] || return
      case $words[1] in
${lines(commands.map((command) => `        ${command.split(' ').at(-1)}) ${one(command)} ;;`))}
      esac`
  }
  const helped = parents.map((name) => `${name}) compadd -- ${spaced(entryOf(name).words)} ;;`).join(' ')
  return `#compdef svc-desk
_svc_desk() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${(['help', 'version'] as const).map(spec).join(' ')} ${described(commandNames, ['help'])} '*:: :->rest'
  [[ $state == rest ]] || return
  case $words[1] in
    help) if ((CURRENT == 2)); then compadd -- ${spaced([...commandNames, ...topicNames])}; else case $words[2] in ${helped} esac; fi ;;
${lines(commandNames.map((name) => `    ${name}) ${one(name)} ;;`))}
  esac
}
if [[ $funcstack[1] == _svc_desk ]]; then _svc_desk "$@"; else compdef _svc_desk svc-desk; fi
`
}

function fish(): string {
  const at = (typed: string, rest: string) => `complete -c svc-desk -n '__svc_desk_at "${typed}"' ${rest}`
  const within = (path: CommandPath, rest: string) => `complete -c svc-desk -n '__svc_desk_in "${path}"' ${rest}`
  const spec = (name: OptionName) => {
    const { value, about } = option(name)
    const ways = { file: '-rF', folder: "-xa '(__fish_complete_directories)'", variable: "-xa '(set --names --export)'", any: '-x' }
    return `-l ${name} -d ${quoted(about)}${value === null ? '' : ` ${completed(name, ways, (words) => `-xa '${words}'`)}`}`
  }
  const commands = (all: readonly CommandPath[], typed: string) =>
    all.map((path) => at(typed, `-a ${path.split(' ').at(-1)} -d ${quoted(entryOf(path).about)}`))
  return `function __svc_desk_typed
  set -l typed
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if test "$word" = --
      break
    else if contains -- "$word" ${spaced(valued.map(flag))}
      set skip 1
    else if not string match -q -- '-*' "$word"
      set -a typed $word
    end
  end
  echo "$typed"
end
function __svc_desk_program
  set -l words (commandline -opc)
  set -l end (contains -i -- -- $words); or return
  complete -C (string join ' ' -- (string escape -- $words[(math $end + 1)..-1]) (commandline -ct))
end
function __svc_desk_at
  test (__svc_desk_typed) = "$argv"
end
function __svc_desk_in
  string match -q -- "$argv *" (__svc_desk_typed)' '
end
${lines([
  'complete -c svc-desk -f',
  ...commands(commandNames, ''),
  at('', `-a help -d ${quoted(option('help').about)}`),
  ...(['help', 'version'] as const).map((name) => at('', spec(name))),
  ...commands(commandNames, 'help'),
  at('help', `-a '${spaced(topicNames)}'`),
  ...parents.flatMap((name) => [...commands(commandsOf(name), name), ...commands(commandsOf(name), `help ${name}`)]),
  ...commandNames.filter((name) => !parents.includes(name) && entryOf(name).words !== undefined).map((name) => at(name, `-a '${spaced(entryOf(name).words)}'`)),
  ...parents.flatMap((name) => offered(name).map((one) => at(name, spec(one)))),
  ...paths
    .filter((path) => commandsOf(path).length === 0)
    .flatMap((path) => [
      ...offered(path).map((name) => within(path, spec(name))),
      ...(entryOf(path).runs === true ? [within(path, "-a '(__svc_desk_program)'")] : []),
    ]),
])}
`
}

/** What `svc-desk` prints, and its exit code. */
export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A command line that `svc-desk` must carry out: any except help, the version and a completion script. */
export type Task = Exclude<CommandLine, { readonly action: 'help' | 'version' | 'completion' }>

/** Hooks and CI expect 2 for a wrong command line, as of other linters. */
const isScan = (words: readonly string[]): boolean => words.find((word) => !word.startsWith('-')) === 'scan'

/**
 * Returns the whole output if the command line is wrong or asks for help, the version or a completion script. Any other command line is returned as
 * `line`. Only for `line` does the entry load the rest of `svc-desk`, so that help appears at once.
 */
export function explained(words: readonly string[], version: string): Printed | { readonly line: Task } {
  const read = readCommandLine(words)
  if (!read.ok) return { code: isScan(words) ? scanCodes.usage : exitCodes.usage, stdout: '', stderr: `svc-desk: ${plain(read.failure)}\n` }
  const line = read.value
  const says = (stdout: string): Printed => ({ code: 0, stdout, stderr: '' })
  switch (line.action) {
    case 'help':
      return says(help(line.of))
    case 'version':
      return says(`svc-desk ${version}\n`)
    case 'completion':
      return says(completionScript(line.shell))
    default:
      return { line }
  }
}
