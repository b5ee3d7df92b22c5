import type { Page } from 'playwright-core'

export const recycledName = 'Recycled by hand'

interface Recycled {
  show(which: 'ours' | 'recycled'): Promise<void>
  remove(): Promise<void>
}

/**
 * Adds a reference table beside `table`, with `count` rows that repeat the texts of the product’s table. Its rows are recycled by hand: a row that
 * leaves the view moves to the other end and gets new texts. Returns two functions: one shows only one of the two tables, the other removes the
 * reference table.
 */
export async function recycleByHand(page: Page, table: string, count: number): Promise<Recycled> {
  const boxes = await page.evaluateHandle(
    ([name, recycled, total]) => {
      const original = document.querySelector(`table[aria-label="${name}"]`)?.parentElement
      if (!(original instanceof HTMLElement)) throw new Error(`There is no table ${name}`)
      const box = original.cloneNode(true) as HTMLElement // safe cast: a clone has the same type as its original
      const shown = box.querySelector('table')
      const body = box.querySelector('tbody')
      if (shown === null || body === null) throw new Error(`The table ${name} has no rows`)
      shown.setAttribute('aria-label', recycled)
      const samples = [...body.querySelectorAll('tr[aria-rowindex]')]
      const rowPx = original.querySelector('tr[aria-rowindex]')?.getBoundingClientRect().height ?? Number.NaN
      const nodesOf = (row: Element): Text[] => {
        const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
        const nodes: Text[] = []
        while (walker.nextNode()) nodes.push(walker.currentNode as Text) // safe cast: this walker visits only text nodes
        return nodes
      }
      const first = samples[0]
      if (first === undefined) throw new Error(`The table ${name} has no rows`)
      const places = nodesOf(first).length
      const texts = samples.map((row) => nodesOf(row).map(({ data }) => data)).filter(({ length }) => length === places)
      const space = () => {
        const row = document.createElement('tr')
        const cell = row.insertCell()
        cell.colSpan = first.children.length
        cell.style.padding = '0'
        cell.style.border = '0'
        row.append(cell)
        return { row, set: (rows: number) => cell.style.setProperty('height', `${rows * rowPx}px`) }
      }
      const [above, below] = [space(), space()]
      const drawn = Math.ceil(original.clientHeight / rowPx) + 1
      const rows = Array.from({ length: drawn }, () => {
        const row = first.cloneNode(true) as HTMLElement // safe cast: a clone has the same type as its original
        return { row, nodes: nodesOf(row) }
      })
      body.replaceChildren(above.row, ...rows.map(({ row }) => row), below.row)
      const write = ({ row, nodes }: (typeof rows)[number], index: number) => {
        row.setAttribute('aria-rowindex', String(index + 2))
        const of = texts[index % texts.length] ?? []
        for (const [place, node] of nodes.entries()) node.data = of[place] ?? ''
      }
      let top = 0
      const spaces = () => {
        above.set(top)
        below.set(total - top - drawn)
      }
      for (const [place, one] of rows.entries()) write(one, place)
      spaces()
      box.addEventListener(
        'scroll',
        () => {
          const next = Math.max(0, Math.min(total - drawn, Math.floor(box.scrollTop / rowPx)))
          if (next === top) return
          const moved = Math.min(drawn, Math.abs(next - top))
          if (next > top) {
            const gone = rows.splice(0, moved)
            rows.push(...gone)
            for (const [at, one] of gone.entries()) write(one, next + drawn - moved + at)
            below.row.before(...gone.map(({ row }) => row))
          } else {
            const gone = rows.splice(drawn - moved, moved)
            rows.unshift(...gone)
            for (const [at, one] of gone.entries()) write(one, next + at)
            above.row.after(...gone.map(({ row }) => row))
          }
          top = next
          spaces()
        },
        { passive: true },
      )
      box.style.setProperty('display', 'none')
      original.after(box)
      return { original, box }
    },
    [table, recycledName, count] as const,
  )
  const show: Recycled['show'] = (which) =>
    boxes.evaluate(({ original, box }, isOurs) => {
      original.style.setProperty('display', isOurs ? '' : 'none')
      box.style.setProperty('display', isOurs ? 'none' : '')
    }, which === 'ours')
  return {
    show,
    remove: async () => {
      await show('ours')
      await boxes.evaluate(({ box }) => box.remove())
    },
  }
}
