import type { WebFrameMain } from 'electron'
import { notImplemented, StrictEmitter } from '../strict.ts'

/** The data and functions of a page that its frames use. */
export interface FramePage {
  sendToFrame(frameId: string, channel: string, parameters: unknown[]): void
  evaluateInFrame(frameId: string, code: string): Promise<unknown>
}

type Members =
  | 'url'
  | 'origin'
  | 'name'
  | 'parent'
  | 'top'
  | 'frames'
  | 'framesInSubtree'
  | 'frameTreeNodeId'
  | 'routingId'
  | 'processId'
  | 'detached'
  | 'isDestroyed'
  | 'send'
  | 'executeJavaScript'
type FrameShape = { readonly [K in Members]: K extends 'parent' | 'top' ? Frame | null : K extends 'frames' | 'framesInSubtree' ? Frame[] : WebFrameMain[K] }

/** One frame of a page. The object stays the same for the frame’s lifetime, so `===` compares frames. */
export class Frame extends StrictEmitter implements FrameShape {
  static override label = 'webFrameMain'
  static override emits: ReadonlySet<string> = new Set(['dom-ready'])
  static #lastNode = 0
  readonly frameTreeNodeId = ++Frame.#lastNode
  readonly routingId = this.frameTreeNodeId
  readonly processId = 1
  readonly #tree: FrameTree
  #id: string
  readonly #parentId: string | undefined
  #url = ''
  #name = ''
  #gone = false

  constructor(tree: FrameTree, id: string, parentId: string | undefined) {
    super()
    this.#tree = tree
    this.#id = id
    this.#parentId = parentId
  }

  get url(): string {
    return this.#url
  }

  get origin(): string {
    return /^[a-z][\w+.-]*:\/\/[^/?#]+/i.exec(this.#url)?.[0] ?? 'null'
  }

  get name(): string {
    return this.#name
  }

  get parent(): Frame | null {
    return this.#parentId === undefined ? null : (this.#tree.find(this.#parentId) ?? null)
  }

  get top(): Frame | null {
    return this.#tree.main
  }

  get frames(): Frame[] {
    return this.#tree.all().filter(({ parent }) => parent === this)
  }

  get framesInSubtree(): Frame[] {
    return [this, ...this.frames.flatMap((frame) => frame.framesInSubtree)]
  }

  get detached(): boolean {
    return this.#gone
  }

  isDestroyed(): boolean {
    return this.#gone
  }

  send(channel: string, ...parameters: unknown[]): void {
    this.#tree.page.sendToFrame(this.#id, channel, parameters)
  }

  executeJavaScript(code: string): Promise<unknown> {
    return this.#tree.page.evaluateInFrame(this.#id, code)
  }

  identified(id: string): void {
    this.#id = id
  }

  navigated(url: string, name: string): void {
    this.#url = url
    this.#name = name
  }

  removed(): void {
    this.#gone = true
  }
}

/** The frames of one page by Chromium’s frame id. The id of the main frame is the same as the page’s target id. */
export class FrameTree {
  readonly page: FramePage
  readonly #frames = new Map<string, Frame>()
  #mainId = ''

  constructor(page: FramePage) {
    this.page = page
  }

  get main(): Frame {
    return this.#frames.get(this.#mainId) ?? notImplemented('a page without its main frame')
  }

  get mainId(): string {
    return this.#mainId
  }

  find(id: string): Frame | undefined {
    return this.#frames.get(id)
  }

  all(): Frame[] {
    return [...this.#frames.values()]
  }

  addMain(id: string): void {
    this.#mainId = id
    this.add(id, undefined)
  }

  /** Sets the id of the main frame. Needed because the frame object exists before Chromium assigns an id to the page. */
  rename(mainId: string): void {
    const { main } = this
    this.#frames.delete(this.#mainId)
    this.#mainId = mainId
    this.#frames.set(mainId, main)
    main.identified(mainId)
  }

  add(id: string, parentId: string | undefined): Frame {
    const known = this.#frames.get(id)
    if (known !== undefined) return known
    const frame = new Frame(this, id, parentId)
    this.#frames.set(id, frame)
    return frame
  }

  remove(id: string): void {
    const frame = this.#frames.get(id)
    if (frame === undefined) return
    for (const [childId, child] of this.#frames) if (child.parent === frame) this.remove(childId)
    this.#frames.delete(id)
    frame.removed()
  }

  removeAll(): void {
    for (const frame of this.all()) frame.removed()
    this.#frames.clear()
  }
}
