// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

/**
 * Why a job runs in its phase and its role.
 *
 * @param job its name
 * @param text one sentence: what was chosen and what the best other choice would have been
 * @param alternative makespan in seconds of the best other choice found for this job; NaN if there is none
 */
public record Explanation(String job, String text, double alternative) {}
