// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

import java.util.List;

/**
 * What an experiment measures, and what it is compared with.
 *
 * @param name of the command's argument, the file of results and the section of the page: lower case, with hyphens
 * @param title a heading
 * @param paper whose experiment this is
 * @param figure sections, figures and tables of the paper; empty without a paper
 * @param published what the paper prints
 * @param difference one sentence: how this experiment differs from the paper's, or what it leaves out
 */
public record Description(
        String name, String title, Paper paper, String figure, List<Published> published, String difference) {
    public Description {
        published = List.copyOf(published);
    }
}
