import { type CommandName, commandNames, entryOf, type OptionEntry, type OptionName, optionNames, optionTable, type shells } from './commands/table.ts'

const option = (name: OptionName): OptionEntry => optionTable[name]
const global: readonly OptionName[] = ['help']
const offered = (command: CommandName): readonly OptionName[] => [...entryOf(command).options, ...global]
const lines = (texts: readonly string[]): string => texts.join('\n')

/** The words that complete in each shell come from the table, so that none is offered that is not taken. Nothing of a profile is looked up: that would ask. */
export const completionScript = (shell: (typeof shells)[number]): string => ({ bash, zsh, fish })[shell]()

/** Bash cuts words at `=` too, so that `--key=x` is three of them. */
function bash(): string {
  const valued = optionNames.filter((name) => option(name).value !== null)
  const values = valued.map((name) => {
    const { completes } = option(name)
    const how = completes === 'file' ? '-f' : completes === 'folder' ? '-d' : completes === undefined ? null : `-W '${completes.join(' ')}'`
    return `    --${name}) ${how === null ? 'return' : `COMPREPLY=($(compgen ${how} -- "$value")); return`} ;;`
  })
  const commands = commandNames.map(
    (name) =>
      `    ${name}) options='${offered(name)
        .map((one) => `--${one}`)
        .join(' ')}${entryOf(name).runs === true ? ' --' : ''}'; plain='${(entryOf(name).words ?? []).join(' ')}' ;;`,
  )
  return `_svc_desk() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" command= named= value= option= options= plain= word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $option ]]; then
      [[ $word == = ]] || option=
    elif [[ $word == -- ]]; then
      if ((i + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi
      return
    elif [[ $word == --* ]]; then
      case $word in ${valued.map((name) => `--${name}`).join('|')}) option=$word ;; esac
    elif [[ -z $command ]]; then command=$word
    else named=$word
    fi
  done
  value=$cur
  [[ $value == = ]] && value=
  case $option in
${lines(values)}
  esac
  case $command in
    '') options='--help --version'; plain='${[...commandNames, 'help'].join(' ')}' ;;
    help) plain='${commandNames.join(' ')}' ;;
${lines(commands)}
  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -z $named ]]; then COMPREPLY=($(compgen -W "$plain" -- "$cur"))
  fi
}
complete -F _svc_desk svc-desk
`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function zsh(): string {
  const spec = (name: OptionName) => {
    const { value, about, completes } = option(name)
    const how = completes === 'file' ? '_files' : completes === 'folder' ? '_files -/' : completes === undefined ? ' ' : `(${completes.join(' ')})`
    return quoted(value === null ? `--${name}[${about}]` : `--${name}=[${about}]:${value}:${how}`)
  }
  const commands = commandNames.map((name) => {
    const { words, runs } = entryOf(name)
    const plain = runs === true ? ["'*:: :_normal'"] : words === undefined ? [] : [quoted(`1: :(${words.join(' ')})`)]
    return `    ${name}) _arguments ${[...offered(name).map(spec), ...plain].join(' ')} ;;`
  })
  return `#compdef svc-desk
_svc_desk() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${[...global, 'version' as const].map(spec).join(' ')} ${quoted(`1: :((${commandNames.map((name) => `${name}:${entryOf(name).about.replaceAll(' ', '\\ ')}`).join(' ')}))`)} '*:: :->rest'
  [[ $state == rest ]] || return
  case $line[1] in
    help) _arguments ${quoted(`1: :(${commandNames.join(' ')})`)} ;;
${lines(commands)}
  esac
}
if [[ $funcstack[1] == _svc_desk ]]; then _svc_desk "$@"; else compdef _svc_desk svc-desk; fi
`
}

function fish(): string {
  const of = (command: string) => `-n '__fish_seen_subcommand_from ${command}'`
  const spec = (name: OptionName) => {
    const { value, about, completes } = option(name)
    const how =
      completes === 'file'
        ? ' -rF'
        : completes === 'folder'
          ? " -xa '(__fish_complete_directories)'"
          : completes === undefined
            ? ' -x'
            : ` -xa '${completes.join(' ')}'`
    return `-l ${name} -d ${quoted(about)}${value === null ? '' : how}`
  }
  return `${lines([
    'complete -c svc-desk -f',
    ...commandNames.map((name) => `complete -c svc-desk -n __fish_use_subcommand -a ${name} -d ${quoted(entryOf(name).about)}`),
    ...[...global, 'version' as const].map((name) => `complete -c svc-desk -n __fish_use_subcommand ${spec(name)}`),
    `complete -c svc-desk ${of('help')} -a '${commandNames.join(' ')}'`,
    ...commandNames.flatMap((name) => [
      ...offered(name).map((one) => `complete -c svc-desk ${of(name)} ${spec(one)}`),
      ...(entryOf(name).words === undefined ? [] : [`complete -c svc-desk ${of(name)} -a '${(entryOf(name).words ?? []).join(' ')}'`]),
      ...(entryOf(name).runs === true ? [`complete -c svc-desk ${of(name)} -a '(__fish_complete_subcommand --fcs-skip=2)'`] : []),
    ]),
  ])}\n`
}
