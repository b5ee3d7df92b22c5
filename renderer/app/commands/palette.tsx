import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { cx } from '../../kit/cx.ts'
import iconStyles from '../../kit/icons/icon.module.css'
import { Icon } from '../../kit/icons/icon.tsx'
import { pressed } from '../../kit/key-bindings.ts'
import { Keys } from '../../kit/keys.tsx'
import { type Command, useAllCommands } from '../../kit/layout/commands.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import textStyles from '../../kit/text.module.css'
import { type HelpDocument, helpAddress } from '../../parts/help/help-document.ts'
import { appText } from '../../text/en/app.en.tsx'
import styles from '../frame.module.css'

function Marked({ label, marks }: { readonly label: string; readonly marks: Found['marks'] }): ReactNode {
  if (marks.length === 0) return label
  let from = 0
  const pieces: ReactNode[] = []
  for (const [start, end] of marks) {
    if (start < from) continue
    pieces.push(label.slice(from, start), <b key={start}>{label.slice(start, end)}</b>)
    from = end
  }
  return [...pieces, label.slice(from)]
}

/** The command palette: finds every command by name. The focus stays in the input, which controls the list as a listbox. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
  const commands = useAllCommands()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const chapters = useHelpCommands(typed !== '')
  const found = useMemo(() => {
    const fitting = [...findCommands(commands, typed), ...(typed === '' ? [] : findCommands(chapters, typed).slice(0, mostChapters))]
    // Keep groups together, ordered by their best command.
    const groups = [...new Set(fitting.map((one) => one.command.group))]
    return groups.flatMap((group) => fitting.filter((one) => one.command.group === group))
  }, [commands, chapters, typed])
  const chosen = Math.min(at, found.length - 1)

  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    const before = document.activeElement
    if (!element.open) element.showModal()
    return () => {
      element.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    list.current?.querySelector(`[data-at="${chosen}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const run = (one: Found | undefined) => {
    if (one === undefined) return
    onClose()
    one.command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = pressed(event, 'found', 'foundBefore', 'choose', 'escape')
    if ((key === 'found' || key === 'foundBefore') && found.length > 0) {
      event.preventDefault()
      setAt((chosen + (key === 'found' ? 1 : -1) + found.length) % found.length)
    } else if (key === 'choose') {
      event.preventDefault()
      run(found[chosen])
    } else if (key === 'escape') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
    }
  }
  return createPortal(
    <dialog
      ref={dialog}
      className={cx(overlayStyles.menu, styles.palette)}
      aria-label={appText.commands}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className={styles.paletteInput}>
        <Icon name="search" className={iconStyles.dim} />
        <input
          role="combobox"
          aria-label={appText.search}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
          aria-autocomplete="list"
          placeholder={appText.search}
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
        />
        <Keys keys={[appText.esc]} />
      </div>
      <div className={styles.paletteList} role="listbox" id={`${id}-list`} aria-label={appText.commands} ref={list}>
        {found.map((one, index) => (
          <Fragment key={one.command.id}>
            {found[index - 1]?.command.group === one.command.group ? null : <p className={styles.groupHead}>{one.command.group}</p>}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input */}
            <div
              role="option"
              id={`${id}-${index}`}
              data-at={index}
              aria-selected={index === chosen}
              className={index === chosen ? styles.on : undefined}
              onPointerMove={() => setAt(index)}
              onClick={() => run(one)}
            >
              <Icon name={one.command.icon} />
              <span className={textStyles.cut}>
                <Marked label={one.command.label} marks={one.marks} />
              </span>
              {one.command.note === undefined ? null : <span className={textStyles.muted}>{one.command.note}</span>}
              {one.command.keys === undefined ? null : <Keys keys={one.command.keys} />}
            </div>
          </Fragment>
        ))}
        {found.length === 0 ? <p className={styles.paletteNone}>{appText.noResults}</p> : null}
      </div>
    </dialog>,
    document.body,
  )
}

/** Maximum number of Help headings in the list. */
const mostChapters = 8

/** The chapters of Help and their headings as commands. Loaded only once they are needed. */
function useHelpCommands(wanted: boolean): readonly Command[] {
  const navigate = useNavigate()
  const [documents, setDocuments] = useState<readonly HelpDocument[]>([])
  useEffect(() => {
    if (!wanted) return
    let open = true
    const show = (loaded: { readonly documents: readonly HelpDocument[] }) => {
      if (open) setDocuments(loaded.documents)
    }
    // If the help chapters fail to load, the palette still lists its other commands.
    import('../../parts/help/help-chapters.ts').then(show, () => undefined)
    return () => {
      open = false
    }
  }, [wanted])
  return useMemo(
    () =>
      documents.flatMap(({ page, title, sections }) => {
        const command = (section: string, label: string): Command => {
          const to = helpAddress(page, section)
          return { id: to, group: appText.help, label, icon: 'doc', run: () => navigate(to) }
        }
        return [command('', title), ...sections.filter(({ id }) => id !== '').map((section) => command(section.id, `${title}: ${section.title}`))]
      }),
    [documents, navigate],
  )
}

interface Found {
  readonly command: Command
  /** Start and end of each match in the label. */
  readonly marks: readonly (readonly [number, number])[]
}

/** How well a label matches: every typed word must start a word of the label or occur in it. `null` if one is missing. */
function scoreOf(label: string, words: readonly string[]): { readonly score: number; readonly marks: readonly (readonly [number, number])[] } | null {
  const text = label.toLowerCase()
  let score = 0
  const marks: (readonly [number, number])[] = []
  for (const word of words) {
    const starts = text.startsWith(word) ? 0 : text.indexOf(` ${word}`) + 1
    const at = text.startsWith(word) || starts > 0 ? starts : text.indexOf(word)
    if (at < 0) return null
    score += at === 0 ? 3 : starts > 0 ? 2 : 1
    marks.push([at, at + word.length])
  }
  return { score, marks: marks.sort((a, b) => a[0] - b[0]) }
}

/** The matching commands, best first, then in their own order. All commands when nothing is typed. */
export function findCommands(commands: readonly Command[], typed: string): readonly Found[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return commands.map((command) => ({ command, marks: [] }))
  return commands
    .map((command) => ({ command, fitting: scoreOf(command.label, words) ?? scoreOf(`${command.group} ${command.label}`, words) }))
    .flatMap(({ command, fitting }) => (fitting === null ? [] : [{ command, score: fitting.score, marks: scoreOf(command.label, words)?.marks ?? [] }]))
    .sort((a, b) => b.score - a.score)
    .map(({ command, marks }) => ({ command, marks }))
}
