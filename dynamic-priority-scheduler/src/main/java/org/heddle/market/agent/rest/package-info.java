// SPDX-License-Identifier: Apache-2.0
/** How far applications are, from the REST of YARN, MapReduce and Spark. Runs in the user's process, without Hadoop. */
@NullMarked
package org.heddle.market.agent.rest;

import org.jspecify.annotations.NullMarked;
