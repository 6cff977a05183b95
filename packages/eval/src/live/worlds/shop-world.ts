import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

export interface Product {
  readonly id: number
  readonly name: string
  readonly category: string
  readonly price_cents: number
  readonly stock: number
  /** Offered instead when this one is sold out. */
  readonly replacement_id?: number
}

export interface Order {
  readonly order_id: string
  readonly lines: readonly { readonly product_id: number; readonly quantity: number }[]
  readonly total_cents: number
  readonly shipping: string
  readonly address: {
    readonly name: string
    readonly street: string
    readonly city: string
    readonly postal_code: string
  }
  readonly gift_note?: string | undefined
}

export interface ShopWorld {
  readonly cart: Map<number, number>
  readonly orders: readonly Order[]
  readonly tools: readonly LiveTool[]
}

const coupons: ReadonlyMap<string, number> = new Map([
  ['SPRING10', 10],
  ['TEAM20', 20],
])
const shippingCents = { standard: 490, express: 1290, pickup: 0 }

/** `filled`: the quantities of products that are in the cart from the beginning. */
export function createShopWorld(
  products: readonly Product[],
  filled: Readonly<Record<number, number>> = {},
): ShopWorld {
  const stock = new Map(products.map(product => [product.id, product.stock]))
  const cart = new Map(Object.entries(filled).map(([id, quantity]) => [Number(id), quantity]))
  const orders: Order[] = []
  let discount = 0
  const find = (id: number) => {
    const product = products.find(each => each.id === id)
    if (!product) throw new Error(`There is no product ${id}.`)
    return { ...product, stock: stock.get(id) ?? 0 }
  }
  const itemsCents = () => {
    const full = [...cart].reduce((sum, [id, quantity]) => sum + find(id).price_cents * quantity, 0)
    return Math.round((full * (100 - discount)) / 100)
  }
  const showCart = () => ({
    lines: [...cart].map(([product_id, quantity]) => ({ product_id, quantity })),
    discount_percent: discount,
    items_total_cents: itemsCents(),
  })
  const productId = z.int().describe('The number of the product')
  const tools = [
    defineTool({
      name: 'search_products',
      description: 'Searches the shop by category. Shows what is sold out, too: look at the stock.',
      input: z.object({
        category: z.enum(['keyboard', 'mouse', 'monitor', 'cable', 'desk_lamp']),
        max_price_cents: z.int().optional().describe('Only products that cost at most this'),
        sort: z.enum(['price_ascending', 'price_descending', 'name']).optional(),
      }),
      execute: ({ category, max_price_cents, sort }) => ({
        products: products
          .filter(
            each =>
              each.category === category &&
              each.price_cents <= (max_price_cents ?? Number.MAX_SAFE_INTEGER),
          )
          .map(({ id }) => find(id))
          .sort((a, b) => {
            if (sort === 'name') return a.name.localeCompare(b.name)
            return sort === 'price_descending'
              ? b.price_cents - a.price_cents
              : a.price_cents - b.price_cents
          }),
      }),
    }),
    defineTool({
      name: 'get_product',
      description: 'Shows one product with its price, its stock and what replaces it.',
      input: z.object({ product_id: productId }),
      execute: ({ product_id }) => find(product_id),
    }),
    defineTool({
      name: 'add_to_cart',
      description: 'Puts a product into the cart. Fails if there is not enough in stock.',
      input: z.object({ product_id: productId, quantity: z.int().min(1) }),
      execute: ({ product_id, quantity }) => {
        const product = find(product_id)
        const wanted = (cart.get(product_id) ?? 0) + quantity
        if (wanted > product.stock)
          throw new Error(`Only ${product.stock} of ${product.name} in stock.`)
        cart.set(product_id, wanted)
        return showCart()
      },
    }),
    defineTool({
      name: 'remove_from_cart',
      description: 'Takes a product out of the cart altogether.',
      input: z.object({ product_id: productId }),
      execute: ({ product_id }) => {
        if (!cart.delete(product_id)) throw new Error(`Product ${product_id} is not in the cart.`)
        return showCart()
      },
    }),
    defineTool({
      name: 'apply_coupon',
      description: 'Applies a coupon to the cart. Only one at a time.',
      input: z.object({ code: z.string() }),
      execute: ({ code }) => {
        const percent = coupons.get(code)
        if (percent === undefined) throw new Error(`The coupon ${code} is not valid.`)
        discount = percent
        return showCart()
      },
    }),
    defineTool({
      name: 'place_order',
      description: 'Orders what is in the cart. The total includes the shipping.',
      input: z.object({
        shipping: z.enum(['standard', 'express', 'pickup']),
        address: z.object({
          name: z.string(),
          street: z.string(),
          city: z.string(),
          postal_code: z.string(),
        }),
        gift_note: z.string().optional().describe('Printed on a card as it is'),
      }),
      execute: ({ shipping, address, gift_note }) => {
        if (cart.size === 0) throw new Error('The cart is empty.')
        const order: Order = {
          order_id: `R-${5001 + orders.length}`,
          lines: showCart().lines,
          total_cents: itemsCents() + shippingCents[shipping],
          shipping,
          address,
          gift_note,
        }
        orders.push(order)
        for (const [id, quantity] of cart) stock.set(id, (stock.get(id) ?? 0) - quantity)
        cart.clear()
        discount = 0
        return { order_id: order.order_id, total_cents: order.total_cents }
      },
    }),
  ]
  return { cart, orders, tools }
}
