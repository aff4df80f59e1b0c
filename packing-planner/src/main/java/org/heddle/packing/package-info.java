// SPDX-License-Identifier: Apache-2.0
/**
 * Nothing here yet. To come: performance models from job histories and plans for sets of jobs
 * (Packing the Most Onto Your Cloud, CloudDB 2009). Packages planned: {@code model}, {@code solve},
 * {@code fit}, {@code run}, {@code cli}.
 */
@NullMarked
package org.heddle.packing;

import org.jspecify.annotations.NullMarked;
