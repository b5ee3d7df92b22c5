import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { helpText } from '../../text/en/help.en.tsx'
import { documentOf, pageLanguage } from './help-chapters.ts'
import { type HelpBlock, type HelpDocument, type HelpExternal, type HelpInline, marksIn, plainTexts } from './help-document.ts'
import styles from './help-view.module.css'

export function MarkedText({ text, find }: { readonly text: string; readonly find: string }): ReactNode {
  const marks = marksIn(text, find)
  if (marks.length === 0) return text
  const pieces: ReactNode[] = []
  let from = 0
  for (const [start, end] of marks) {
    pieces.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>)
    from = end
  }
  return [...pieces, text.slice(from)]
}

interface Shown {
  /** The search words to highlight in the chapter. */
  readonly find: string
  /** Called with the address of another chapter when its link is clicked. */
  readonly onGo: (to: string) => void
}

interface InSection extends Shown {
  /** The title of the section, which names its tables. */
  readonly title: string
}

interface InlineProps extends Shown {
  readonly text: readonly HelpInline[]
}

function Inline({ text, ...shown }: InlineProps): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a document never change
  return text.map((part, index) => <Part key={index} part={part} {...shown} />)
}

function Part({ part, ...shown }: Shown & { readonly part: HelpInline }): ReactNode {
  if (typeof part === 'string') return <MarkedText text={part} find={shown.find} />
  switch (part.kind) {
    case 'code':
      return (
        <code>
          <MarkedText text={part.code} find={shown.find} />
        </code>
      )
    case 'bold':
      return (
        <b>
          <Inline text={part.text} {...shown} />
        </b>
      )
    case 'italic':
      return (
        <em>
          <Inline text={part.text} {...shown} />
        </em>
      )
    case 'link':
      return (
        <ChapterLink to={part.to} onGo={shown.onGo}>
          <Inline text={part.text} {...shown} />
        </ChapterLink>
      )
    case 'external':
      return (
        <ExternalLink page={part.page}>
          <Inline text={part.text} {...shown} />
        </ExternalLink>
      )
  }
}

function ChapterLink({ to, onGo, children }: { readonly to: string; readonly onGo: Shown['onGo']; readonly children: ReactNode }) {
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    onGo(to)
  }
  return (
    <a href={`#/${to}`} onClick={follow}>
      {children}
    </a>
  )
}

function ExternalLink({ page, children }: { readonly page: HelpExternal; readonly children: ReactNode }) {
  const open = useIpcCommand('app.openExternal')
  return (
    <button type="button" className={styles.external} onClick={() => open.mutate({ page, id: null })}>
      {children}
    </button>
  )
}

function Block({ block, title, ...shown }: InSection & { readonly block: HelpBlock }) {
  switch (block.kind) {
    case 'text':
      return (
        <p>
          <Inline text={block.text} {...shown} />
        </p>
      )
    case 'list': {
      const items = block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of a document never change
        <li key={index}>
          <Blocks blocks={item} title={title} {...shown} />
        </li>
      ))
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'code':
      return (
        <div className={styles.code}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll by keys, too */}
          <pre tabIndex={0}>
            <code>
              <MarkedText text={block.code} find={shown.find} />
            </code>
          </pre>
          <CopyButton text={block.code} what={helpText.code} />
        </div>
      )
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables scroll by keys, too
        <section className={styles.wide} aria-label={helpText.tableOf(title, plainTexts([block])[0] ?? '')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a document never change
                  <th key={index} scope="col">
                    <Inline text={cell} {...shown} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a document never change
                <tr key={index}>
                  {row.map((cell, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <td key={at}>
                      <Inline text={cell} {...shown} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )
  }
}

function Blocks({ blocks, ...shown }: InSection & { readonly blocks: readonly HelpBlock[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a document never change
    <Block key={index} block={block} {...shown} />
  ))
}

/** Shows a help chapter. Scrolls to the section `section` and moves the focus to its heading. */
export function HelpArticle({ document, section, ...shown }: Shown & { readonly document: HelpDocument; readonly section: string }) {
  const article = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chapter or other marks begin at their section again
  useEffect(() => {
    const at = section === '' ? null : article.current?.querySelector<HTMLElement>(`[data-section="${CSS.escape(section)}"]`)
    const heading = at?.querySelector<HTMLElement>('h3, h4') ?? article.current?.querySelector<HTMLElement>('h2')
    heading?.focus({ preventScroll: true })
    const mark = shown.find === '' ? null : (at ?? article.current)?.querySelector('mark')
    if (mark != null) mark.scrollIntoView({ block: 'center' })
    else (at ?? article.current)?.scrollIntoView({ block: 'start' })
  }, [document, section, shown.find])
  const intro = document.sections.find(({ id }) => id === '')
  return (
    <article className={styles.article} ref={article} lang={document.language} translate="no">
      <h2 tabIndex={-1} className={styles.title} lang={pageLanguage}>
        <MarkedText text={document.title} find={shown.find} />
      </h2>
      {intro === undefined ? null : <Blocks blocks={intro.blocks} title={document.title} {...shown} />}
      {document.sections
        .filter(({ id }) => id !== '')
        .map(({ id, level, title, blocks }) => {
          const Heading = level === 2 ? 'h3' : 'h4'
          return (
            <section key={id} data-section={id}>
              <Heading tabIndex={-1}>
                <MarkedText text={title} find={shown.find} />
              </Heading>
              <Blocks blocks={blocks} title={title} {...shown} />
            </section>
          )
        })}
    </article>
  )
}

function partsOf(to: string): { readonly page: string; readonly section: string } {
  const [, page = '', section = ''] = to.split('/')
  return { page, section }
}

/** The note that a chapter is in English; `null` if the chapter is in the language of the page. */
export const inEnglishNote = ({ language }: HelpDocument): string | null => (language === pageLanguage ? null : helpText.chapterIsInEnglish)

/** A chapter in a sheet over the current page. Its links open other chapters in the same sheet. */
export function HelpSheet({ to, onClose }: { readonly to: string; readonly onClose: () => void }) {
  const [at, setAt] = useState(to)
  const close = useRef<HTMLButtonElement>(null)
  const { page, section } = partsOf(at)
  const document = documentOf(page)
  if (document === null) return null
  const note = inEnglishNote(document)
  return (
    <Sheet
      title={helpText.help}
      {...(note === null ? {} : { lead: note })}
      icon="unknown"
      onClose={onClose}
      closeOnScrim
      initialFocus={close}
      className={styles.sheet}
    >
      <div className={overlayStyles.sheetBody}>
        <HelpArticle document={document} section={section} find="" onGo={setAt} />
      </div>
      <SheetFoot>
        {at === to ? null : (
          <Button variant="ghost" onClick={() => setAt(to)}>
            {helpText.back}
          </Button>
        )}
        <Button ref={close} onClick={onClose}>
          {helpText.close}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
