interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

interface Size {
  readonly width: number
  readonly height: number
}

const edge = 8

/** Where something that floats goes, in window pixels: below its anchor, above where there is no room, never outside the window. */
export function place(anchor: Box, floating: Size, within: Size, align: 'start' | 'end' | 'middle', gap = 4): { readonly left: number; readonly top: number } {
  const wanted = align === 'start' ? anchor.left : align === 'end' ? anchor.right - floating.width : (anchor.left + anchor.right - floating.width) / 2
  const below = anchor.bottom + gap
  const above = anchor.top - gap - floating.height
  const fits = below + floating.height + edge <= within.height || above < edge
  return {
    left: Math.max(edge, Math.min(wanted, within.width - floating.width - edge)),
    top: Math.max(edge, fits ? Math.min(below, within.height - floating.height - edge) : above),
  }
}
