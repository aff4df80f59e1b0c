// SPDX-License-Identifier: Apache-2.0
/**
 * What placing a container costs: the stock schedulers and ours inside a real ResourceManager, with the same cluster,
 * the same work and the same seed, in turns, each in a process of its own.
 */
@org.jspecify.annotations.NullMarked
package org.heddle.benchmarks.rm;
