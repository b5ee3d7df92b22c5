import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Keys } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import iconStyles from '../../kit/icons/icon.module.css'
import { Icon } from '../../kit/icons/icon.tsx'
import { pressed } from '../../kit/key-bindings.ts'
import { type Command, useAllCommands } from '../../kit/layout/commands.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import textStyles from '../../kit/text.module.css'
import { type HelpDocument, helpAddress } from '../../parts/help/help-document.ts'
import { appText } from '../../text/en/app.en.tsx'
import styles from '../frame.module.css'
import { useSearchCommands, withTerms } from './search-commands.ts'

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

/**
 * The command palette, which finds commands, pages, keys, markets, orders, webhooks, settings and Help. The focus stays in the text field; the arrow
 * keys move through the list.
 */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
  const commands = useAllCommands()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const chapters = useHelpCommands(typed !== '')
  const things = useSearchCommands(typed)
  const found = useMemo(() => {
    const fitting = typed === '' ? [] : findCommands(chapters, typed).slice(0, mostChapters)
    return findCommands([...withTerms(commands), ...(typed === '' ? [] : things), ...fitting.map(({ command }) => command)], typed).slice(0, mostShown)
  }, [commands, chapters, things, typed])
  const chosen = Math.min(at, found.length - 1)

  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    const before = document.activeElement
    if (!element.open) element.showModal()
    return () => {
      element.close()
      // Return the focus only if no element has it now, because a command may have opened a page that took the focus.
      const isFree = document.activeElement === null || document.activeElement === document.body
      if (isFree && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    list.current?.querySelector(`[data-at="${chosen}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const run = (one: Found | undefined) => {
    if (one === undefined) return
    // Close the palette first, because closing returns the focus to the page. The command may then move the focus, for example into a form.
    dialog.current?.close()
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

const mostChapters = 8
const mostShown = 60

/** The chapters and headings of Help, as commands. Loads them only when `wanted`. */
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
  /** The start and end of each match in the command's label. */
  readonly marks: readonly (readonly [number, number])[]
}

/** Converts to lower case without accents, at the same length: “Zürich” becomes “zurich”. */
const folded = (text: string): string =>
  [...text]
    .map((character) => {
      const plain = character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
      return plain.length === character.length ? plain : character
    })
    .join('')

/** Where a word occurs in a text, and how well: 3 at the start, 2 at the start of a word, 1 inside a word. `null` if it does not occur. */
function placeOf(text: string, word: string): { readonly at: number; readonly rank: number } | null {
  if (text.startsWith(word)) return { at: 0, rank: 3 }
  const starts = text.search(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, 'u'))
  if (starts >= 0) return { at: starts, rank: 2 }
  const at = text.indexOf(word)
  return at < 0 ? null : { at, rank: 1 }
}

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** How much a match counts: most in the label, less in the search terms, least in the group's name. */
const weights = { label: 1, terms: 0.4, group: 0.3 } as const

/** How well a command matches the search. Every typed word must occur in its label, its search terms or its group; otherwise `null`. */
function scoreOf({ label, terms = '', group }: Command, words: readonly string[]): { readonly score: number; readonly marks: Found['marks'] } | null {
  const shown = folded(label)
  const [other, of] = [folded(terms), folded(group)]
  let score = 0
  const marks: (readonly [number, number])[] = []
  for (const word of words) {
    const inLabel = placeOf(shown, word)
    const best = Math.max(
      (inLabel?.rank ?? 0) * weights.label,
      (placeOf(other, word)?.rank ?? 0) * weights.terms,
      (placeOf(of, word)?.rank ?? 0) * weights.group,
    )
    if (best === 0) return null
    score += best
    if (inLabel !== null) marks.push([inLabel.at, inLabel.at + word.length])
  }
  if (shown === words.join(' ')) score += 1
  return { score, marks: marks.sort((a, b) => a[0] - b[0]) }
}

/** How many harmless results must come before a command that destroys or stops something. */
const safeFirst = 3

/** Whether the search text names the risky action, as “rev” does for “Revoke”. If not, the risky command ranks below all others. */
const isNamed = (risk: string, words: readonly string[]): boolean =>
  words.some(
    (word) =>
      word.length >= 3 &&
      folded(risk)
        .split(/[^\p{L}\p{N}]+/u)
        .some((part) => part !== '' && part.startsWith(word)),
  )

/**
 * Searches commands. Sorts by how well they match, and groups them as the palette shows them. A command that destroys or stops something comes after
 * all others and never among the first three, unless the search text names its action. Returns all commands if the search text is empty.
 */
export function findCommands(commands: readonly Command[], typed: string): readonly Found[] {
  const words = folded(typed.trim()).split(/\s+/).filter(Boolean)
  const known = new Set<string>()
  const all = commands.filter(({ id }) => !known.has(id) && known.add(id))
  if (words.length === 0) return grouped(all.map((command) => ({ command, marks: [] })))
  const found = all
    .flatMap((command) => {
      const match = scoreOf(command, words)
      return match === null ? [] : [{ command, ...match }]
    })
    .sort((a, b) => b.score - a.score)
  const isLast = ({ command: { risk } }: Found): boolean => risk !== undefined && !isNamed(risk, words)
  const first = grouped(found.filter((one) => !isLast(one)))
  return first.length < safeFirst ? first : [...first, ...grouped(found.filter(isLast))]
}

/** Keeps the commands of a group together. Sorts the groups by their best match. */
function grouped(found: readonly Found[]): readonly Found[] {
  const groups = [...new Set(found.map(({ command }) => command.group))]
  return groups.flatMap((group) => found.filter(({ command }) => command.group === group)).map(({ command, marks }) => ({ command, marks }))
}
