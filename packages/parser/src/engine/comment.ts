/** Passes over a comment in loose JSON, of which the first slash has been read. */
export interface Comment {
  begin(): void
  /** Takes one more character; true once the comment is over, false if it was none. */
  read(char: string): boolean | undefined
}

export function createComment(): Comment {
  /** `/` or `*`, once that is known. */
  let sort = ''
  let isStarSeen = false
  return {
    begin() {
      sort = ''
      isStarSeen = false
    },
    read(char) {
      if (sort === '') {
        sort = char
        return char === '/' || char === '*' ? undefined : false
      }
      const isOver = sort === '/' ? char === '\n' : isStarSeen && char === '/'
      isStarSeen = char === '*'
      return isOver || undefined
    },
  }
}
