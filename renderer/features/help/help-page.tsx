import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Input } from '../../kit/input.tsx'
import { isTyping, pressed } from '../../kit/key-bindings.ts'
import { Link, useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Page, Panel } from '../../kit/layout/panel.tsx'
import { Empty } from '../../kit/layout/placeholders.tsx'
import { roveOnKey } from '../../kit/roving.ts'
import textStyles from '../../kit/text.module.css'
import { chapterGroups, documentOf, documents, pageLanguage } from '../../parts/help/help-chapters.ts'
import { type HelpFinding, helpAddress, searchHelp } from '../../parts/help/help-document.ts'
import { HelpArticle, inEnglishNote, MarkedText } from '../../parts/help/help-view.tsx'
import { helpText } from '../../text/en/help.en.tsx'
import { AboutChapter } from './about-chapter.tsx'
import styles from './help.module.css'

const about = 'about'
const firstPage = documents[0]?.page ?? ''

const withMarks = (to: string, find: string): string => (find === '' ? to : `${to}?${new URLSearchParams({ find })}`)

/** The app's documents: `help/orders/kill-switch` opens a chapter at a section, `?find=` marks words in it. */
export function HelpPage() {
  const { rest, query } = usePlace()
  const [page = firstPage, section = ''] = rest
  const find = query.find ?? ''
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const search = useRef<HTMLInputElement>(null)
  const findings = useMemo(() => searchHelp(documents, typed), [typed])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place ends the search, wherever it was chosen
  useEffect(() => setTyped(''), [page, section, find])
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event) || pressed(event, 'searchHelp') === null || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      search.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  const open = (to: string) => {
    setTyped('')
    navigate(to)
  }
  const openFinding = ({ page: of, section: { id } }: HelpFinding) => open(withMarks(helpAddress(of, id), typed))
  const results = useRef<HTMLUListElement>(null)
  const onSearchKey = (event: KeyboardEvent) => {
    const key = pressed(event, 'found', 'choose', 'escape')
    if (key === null || typed === '') return
    event.preventDefault()
    const [first] = findings
    if (key === 'escape') setTyped('')
    else if (key === 'found') results.current?.querySelector('a')?.focus()
    else if (first !== undefined) openFinding(first)
  }
  // The chapter may be scrolled far down. Results start at the top of the page.
  const top = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (typed.trim() !== '') top.current?.scrollIntoView({ block: 'start' })
  }, [typed])
  const chapter = documentOf(page)
  const note = chapter === null ? null : inEnglishNote(chapter)
  return (
    <Page
      title={helpText.help}
      end={
        <Button variant="ghost" size="sm" icon="undo" onClick={() => window.history.back()}>
          {helpText.back}
        </Button>
      }
      className={styles.help}
    >
      <div className={styles.columns} ref={top}>
        <div className={styles.side}>
          <search>
            <Input
              id="help-search"
              ref={search}
              type="search"
              icon="search"
              aria-label={helpText.search}
              placeholder={helpText.search}
              value={typed}
              onChange={setTyped}
              onKeyDown={onSearchKey}
            />
          </search>
          <Chapters page={page} section={section} isShown={typed.trim() === ''} onOpen={open} />
        </div>
        <Panel className={styles.chapter} padded>
          {typed.trim() !== '' ? (
            <Results typed={typed} findings={findings} list={results} onOpen={openFinding} />
          ) : page === about ? (
            <AboutChapter part={section} />
          ) : chapter === null ? (
            <Empty icon="doc" title={helpText.noSuchChapter}>
              <p>{helpText.chooseChapter}</p>
            </Empty>
          ) : (
            <>
              {note === null ? null : <Note>{note}</Note>}
              {find === '' ? null : (
                <div className={styles.marked}>
                  <span className={textStyles.muted}>{helpText.marked(find)}</span>
                  <Button size="xs" onClick={() => setTyped(find)}>
                    {helpText.backToResults}
                  </Button>
                  <Button size="xs" variant="ghost" onClick={() => navigate(helpAddress(page, section))}>
                    {helpText.clearMarks}
                  </Button>
                </div>
              )}
              <HelpArticle document={chapter} section={section} find={find} onGo={open} />
            </>
          )}
        </Panel>
      </div>
    </Page>
  )
}

interface ChaptersProps {
  readonly page: string
  readonly section: string
  /** Whether the chapter is on screen; `false` while search results take its place. */
  readonly isShown: boolean
  readonly onOpen: (to: string) => void
}

/** All chapters, and the sections of the open chapter. */
function Chapters({ page, section, isShown, onOpen }: ChaptersProps) {
  const link = (to: string, here: boolean, words: ReactNode) => (
    <Link
      to={to}
      aria-current={here && isShown ? 'page' : undefined}
      onClick={(event) => {
        event.preventDefault()
        onOpen(to)
      }}
    >
      {words}
    </Link>
  )
  return (
    <nav aria-label={helpText.chapters} className={styles.chapters}>
      {chapterGroups.map(({ title, pages }) => (
        <div key={title}>
          <h2>{title}</h2>
          <ul translate="no">
            {pages.map((one) => {
              const chapter = documentOf(one)
              if (chapter === null) return null
              return (
                <li key={one} lang={pageLanguage}>
                  {link(helpAddress(one, ''), one === page && section === '', chapter.title)}
                  {one !== page ? null : (
                    <ul lang={chapter.language}>
                      {chapter.sections
                        .filter(({ id, level }) => id !== '' && level === 2)
                        .map(({ id, title: words }) => (
                          <li key={id}>{link(helpAddress(one, id), id === section, words)}</li>
                        ))}
                    </ul>
                  )}
                </li>
              )
            })}
          </ul>
        </div>
      ))}
      <ul className={styles.aboutLink}>
        <li>{link(helpAddress(about, ''), page === about, helpText.about)}</li>
      </ul>
    </nav>
  )
}

interface ResultsProps {
  readonly typed: string
  readonly findings: readonly HelpFinding[]
  readonly list: RefObject<HTMLUListElement | null>
  readonly onOpen: (finding: HelpFinding) => void
}

function Results({ typed, findings, list, onOpen }: ResultsProps) {
  return (
    <section aria-label={helpText.results} className={styles.results}>
      <p className={textStyles.muted} role="status">
        {findings.length === 0 ? '' : helpText.resultCount(findings.length)}
      </p>
      {findings.length === 0 ? (
        <Empty icon="search" title={helpText.nothingFound(typed.trim())}>
          <p>{helpText.tryOtherWords}</p>
        </Empty>
      ) : (
        <ul ref={list} translate="no" onKeyDown={(event) => roveOnKey(event, 'a', false)}>
          {findings.map((finding) => (
            <li key={`${finding.page}#${finding.section.id}`} lang={finding.language}>
              <Link
                to={withMarks(helpAddress(finding.page, finding.section.id), typed)}
                onClick={(event) => {
                  event.preventDefault()
                  onOpen(finding)
                }}
              >
                <b>
                  <MarkedText text={finding.section.title} find={typed} />
                </b>
                {finding.section.id === '' ? null : <span className={textStyles.muted}> {finding.title}</span>}
                <span className={styles.excerpt}>
                  <MarkedText text={finding.excerpt} find={typed} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
