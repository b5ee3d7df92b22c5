// The first script of every page, before any library. It removes for good what the content security policy cannot forbid:
// WebRTC sends past every policy, and a frame would bring a fresh copy of it. Trusted Types keep frames out of parsed text.
;(() => {
  const { defineProperty, getPrototypeOf } = Object
  const { apply } = Reflect
  const frames = [HTMLIFrameElement.prototype, HTMLFrameElement.prototype, HTMLObjectElement.prototype, HTMLEmbedElement.prototype]

  const fix = (owner, name, value) => defineProperty(owner, name, { value, writable: false, enumerable: false, configurable: false })

  /** Makes elements as before, but none that holds a document of its own. Uses nothing that a later script can replace. */
  const withoutFrames = (make) =>
    function (...given) {
      const made = apply(make, this, given)
      const kind = getPrototypeOf(made)
      for (let at = 0; at < frames.length; at += 1) if (kind === frames[at]) throw new TypeError('This page makes no frames.')
      return made
    }

  for (const name of Object.getOwnPropertyNames(window)) if (/^(webkit)?RTC/.test(name)) fix(window, name, undefined)
  for (const name of ['createElement', 'createElementNS']) fix(Document.prototype, name, withoutFrames(Document.prototype[name]))
  // The other makers of elements.
  fix(DOMImplementation.prototype, 'createDocument', undefined)
  // An element of one's own may not extend another kind, such as a frame.
  const { define } = CustomElementRegistry.prototype
  fix(CustomElementRegistry.prototype, 'define', function (name, maker) {
    return apply(define, this, [name, maker])
  })
  for (const name of ['XSLTProcessor', 'documentPictureInPicture']) fix(window, name, undefined)
})()
