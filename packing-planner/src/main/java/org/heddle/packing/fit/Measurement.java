// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

/**
 * One measured run of a job.
 *
 * @param vms n, containers it used at once, &gt;= 1
 * @param seconds run time, &gt; 0
 * @param source file or note it comes from
 */
public record Measurement(int vms, double seconds, String source) {}
