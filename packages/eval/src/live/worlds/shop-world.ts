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

/** Creates a shop. `filled`: the initial quantities in the cart, by product. */
export function createShopWorld(
  products: readonly Product[],
  filled: Readonly<Record<number, number>> = {},
): ShopWorld {
  const shop: Shop = {
    products,
    stock: new Map(products.map(product => [product.id, product.stock])),
    cart: new Map(Object.entries(filled).map(([id, quantity]) => [Number(id), quantity])),
    orders: [],
    discount: 0,
  }
  const { cart, orders } = shop
  return { cart, orders, tools: [...productTools(shop), ...cartTools(shop), orderTool(shop)] }
}

/** The state that the tools read and change. */
interface Shop {
  readonly products: readonly Product[]
  /** Quantities by product. */
  readonly stock: Map<number, number>
  readonly cart: Map<number, number>
  readonly orders: Order[]
  /** In percent. */
  discount: number
}

const productId = z.int().describe('The number of the product')

function findProduct({ products, stock }: Shop, id: number): Product {
  const product = products.find(each => each.id === id)
  if (!product) throw new Error(`There is no product ${id}.`)
  return { ...product, stock: stock.get(id) ?? 0 }
}

function itemsCents(shop: Shop): number {
  const full = [...shop.cart].reduce(
    (sum, [id, quantity]) => sum + findProduct(shop, id).price_cents * quantity,
    0,
  )
  return Math.round((full * (100 - shop.discount)) / 100)
}

function showCart(shop: Shop) {
  return {
    lines: [...shop.cart].map(([product_id, quantity]) => ({ product_id, quantity })),
    discount_percent: shop.discount,
    items_total_cents: itemsCents(shop),
  }
}

function productTools(shop: Shop): LiveTool[] {
  return [
    defineTool({
      name: 'search_products',
      description: 'Searches the shop by category. Shows what is sold out, too: look at the stock.',
      input: z.object({
        category: z.enum(['keyboard', 'mouse', 'monitor', 'cable', 'desk_lamp']),
        max_price_cents: z.int().optional().describe('Only products that cost at most this'),
        sort: z.enum(['price_ascending', 'price_descending', 'name']).optional(),
      }),
      execute: ({ category, max_price_cents, sort }) => ({
        products: shop.products
          .filter(
            each =>
              each.category === category &&
              each.price_cents <= (max_price_cents ?? Number.MAX_SAFE_INTEGER),
          )
          .map(({ id }) => findProduct(shop, id))
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
      execute: ({ product_id }) => findProduct(shop, product_id),
    }),
  ]
}

function cartTools(shop: Shop): LiveTool[] {
  const { cart } = shop
  return [
    defineTool({
      name: 'add_to_cart',
      description: 'Puts a product into the cart. Fails if there is not enough in stock.',
      input: z.object({ product_id: productId, quantity: z.int().min(1) }),
      execute: ({ product_id, quantity }) => {
        const product = findProduct(shop, product_id)
        const wanted = (cart.get(product_id) ?? 0) + quantity
        if (wanted > product.stock)
          throw new Error(`Only ${product.stock} of ${product.name} in stock.`)
        cart.set(product_id, wanted)
        return showCart(shop)
      },
    }),
    defineTool({
      name: 'remove_from_cart',
      description: 'Takes a product out of the cart altogether.',
      input: z.object({ product_id: productId }),
      execute: ({ product_id }) => {
        if (!cart.delete(product_id)) throw new Error(`Product ${product_id} is not in the cart.`)
        return showCart(shop)
      },
    }),
    defineTool({
      name: 'apply_coupon',
      description: 'Applies a coupon to the cart. Only one at a time.',
      input: z.object({ code: z.string() }),
      execute: ({ code }) => {
        const percent = coupons.get(code)
        if (percent === undefined) throw new Error(`The coupon ${code} is not valid.`)
        shop.discount = percent
        return showCart(shop)
      },
    }),
  ]
}

function orderTool(shop: Shop): LiveTool {
  const { cart, stock, orders } = shop
  return defineTool({
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
        lines: showCart(shop).lines,
        total_cents: itemsCents(shop) + shippingCents[shipping],
        shipping,
        address,
        gift_note,
      }
      orders.push(order)
      for (const [id, quantity] of cart) stock.set(id, (stock.get(id) ?? 0) - quantity)
      cart.clear()
      shop.discount = 0
      return { order_id: order.order_id, total_cents: order.total_cents }
    },
  })
}
